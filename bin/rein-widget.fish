
# Added by `--widget`: a key puts the likeliest command into the line, again the next one, and at last what was typed. It runs nothing.
if string match -q "fish-$fish_pid-*" -- "$__rein_session"; and not set -q __rein_key
    set -g __rein_key '@KEY@'
    set -g __rein_shown
    set -g __rein_turn 1
    set -g __rein_found

    function __rein_suggest
        set -l line (commandline | string collect)
        if test -z "$__rein_shown"; or test "$line" != "$__rein_shown"
            set -g __rein_found (REIN_SHELL_SESSION=$__rein_session command rein memory suggest --null --limit 10 --timeout 0.3s -- "$line" 2>/dev/null </dev/null | string split0) "$line"
            set -g __rein_turn 1
        else
            set -g __rein_turn (math $__rein_turn % (count $__rein_found) + 1)
        end
        set -g __rein_shown $__rein_found[$__rein_turn]
        commandline -r -- $__rein_shown
        commandline -C (string length -- "$__rein_shown")
    end

    function __rein_key_off
        bind -e $__rein_key
        bind -M insert -e $__rein_key
        set -e __rein_key __rein_shown __rein_turn __rein_found
        functions -e __rein_suggest __rein_key_off
    end

    bind $__rein_key __rein_suggest
    bind -M insert $__rein_key __rein_suggest
end
