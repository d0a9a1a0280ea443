//! The toolkit that was built without a network.

use super::program::run;

#[test]
fn commands_that_need_a_network_say_how_to_get_it() {
    for name in ["publish", "subscribe"] {
        let (told, said, code) = run(&[name, "--server", "nats://office:4222", "--event", "open"], "");
        assert_eq!((&*told, code), ("", 2), "{name}: {said}");
        assert!(said.contains("built without a network") && said.contains("--features nats"), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
}
