//! The toolkit that was built without a network.

use super::program::run;

#[test]
fn network_commands_without_the_feature_give_advice() {
    for name in ["publish", "subscribe"] {
        let (told, said, code) = run(&[name, "--server", "nats://office:4222", "--event", "open"], "");
        assert_eq!((&*told, code), ("", 2), "{name}: {said}");
        assert!(said.contains("built without a network") && said.contains("--features nats"), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
}
