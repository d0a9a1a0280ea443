//! SHA-256 in Base64, by which a page names the only script that it allows to run (FIPS 180-4, RFC 4648).

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

/// The name of a text in a Content-Security-Policy: `sha256-…`.
pub fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// A part of the hash that distinguishes two texts of one name, in an address.
pub fn short(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text)).chars().filter(char::is_ascii_alphanumeric).take(8).collect()
}

/// A number that distinguishes two texts, small enough for a script.
pub fn number(text: &[u8]) -> u64 {
    Sha256::digest(text).iter().take(6).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standards_come_out() {
        // The examples of FIPS 180-4, whose digests the standard has in hexadecimal, in Base64.
        for (text, coded) in [
            ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
            ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=",
            ),
            (&"a".repeat(1_000_000), "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA="),
        ] {
            assert_eq!(source(text), format!("sha256-{coded}"));
        }
    }
}
