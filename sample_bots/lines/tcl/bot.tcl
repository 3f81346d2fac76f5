# Each line has a path and a value, such as "view.seat 1"; message has all values of a message by their paths.

# The index of an action, from 0 to legal - 1. Your thinking goes here.
proc choose {seed message} {
    set x [expr {$seed % 9973 + 7 * [dict get $message number]}]
    return [expr {$x * $x % 9973 % [dict get $message legal]}]
}

set message {}
while {[gets stdin line] >= 0} {
    set at [string first " " $line]
    if {$at >= 0} {
        set path [string range $line 0 $at-1]
        if {$path eq "type"} { set message {} }
        dict set message $path [string range $line $at+1 end]
    } elseif {$line eq "go"} {
        if {[dict get $message type] eq "start"} {
            set seed [dict get $message seed]
            puts ready
        } else {
            puts [choose $seed $message]
        }
        flush stdout
    }
}
