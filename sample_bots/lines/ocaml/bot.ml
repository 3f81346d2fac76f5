(* Each line has a path and a value, such as "view.seat 1"; message has all values of a message by their paths. *)

let message : (string, string) Hashtbl.t = Hashtbl.create 512
let seed = ref 0
let number path = int_of_string (Hashtbl.find message path)

(* The index of an action, from 0 to legal - 1. Your thinking goes here. *)
let choose () =
  let x = (!seed mod 9973) + (7 * number "number") in
  x * x mod 9973 mod number "legal"

let answer () =
  if Hashtbl.find message "type" = "start" then (seed := number "seed"; print_endline "ready")
  else print_endline (string_of_int (choose ()))

let take line =
  match String.index_opt line ' ' with
  | None -> if line = "go" then answer ()
  | Some at ->
    let path = String.sub line 0 at in
    if path = "type" then Hashtbl.reset message;
    Hashtbl.replace message path (String.sub line (at + 1) (String.length line - at - 1))

let () = try while true do take (read_line ()) done with End_of_file -> ()
