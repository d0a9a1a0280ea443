//! SHA-256 in Base64, by which a page names the one script that it lets run (FIPS 180-4, RFC 4648).

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

/// What a Content-Security-Policy calls a text: `sha256-…`.
pub fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Enough of it to tell two texts of one name apart, in an address.
pub fn short(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text)).chars().filter(char::is_ascii_alphanumeric).take(8).collect()
}

/// A number that tells two texts apart, small enough for a script.
pub fn number(text: &[u8]) -> u64 {
    Sha256::digest(text).iter().take(6).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standards_come_out() {
        // Those of FIPS 180-4, in Base64: the digests as the standard has them in hexadecimal.
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
