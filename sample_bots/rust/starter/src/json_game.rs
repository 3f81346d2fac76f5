//! Plays the game that `referee new-game` writes. It is an example of a game without a proto: its
//! messages are JSON. It stays with a card of the upper half, and is out with another. `referee
//! games NAME --schema` says which fields the messages of a game have.
//!
//! Two numbers and a name are found without a crate. To read more, add the crate serde_json.

use crate::messages::referee_bot::v1::Decision;

/// The index of the action that fits our card; 0 if the game knows no such cards or actions.
pub fn choose(decision: &Decision) -> usize {
    let view = String::from_utf8_lossy(&decision.view);
    let wanted = if 2 * number(&view, "card") > number(&view, "cards") {
        r#""type":"Stay""#
    } else {
        r#""type":"Out""#
    };
    decision
        .legal
        .iter()
        .position(|action| String::from_utf8_lossy(action).contains(wanted))
        .unwrap_or(0)
}

/// The number in a field of this name; 0 if there is none.
fn number(json: &str, field: &str) -> i64 {
    let name = format!("\"{field}\":");
    let rest = json.split(name.as_str()).nth(1).unwrap_or("");
    let end = rest
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_number_is_found_by_its_name() {
        let json = r#"{"card":4,"cards":12,"chips":[3]}"#;

        assert_eq!(number(json, "card"), 4);
        assert_eq!(number(json, "cards"), 12);
        assert_eq!(number(json, "chips"), 0);
    }
}
