# Printed by `rein memory shell init fish`, for the end of ~/.config/fish/config.fish: tells Rein what is run in this shell.
# Built-ins only, nothing printed, nothing waited for: a line for each command, in a file of this shell's own.

if status is-interactive; and test -z "$REIN_AGENT"; and not string match -q "fish-$fish_pid-*" -- "$__rein_session"
    set -g __rein_session fish-$fish_pid-(random 100000000 999999999)
    set -g __rein_dir '@SPOOL@'
    set -g __rein_file $__rein_dir/$__rein_session.cmds
    set -g __rein_has_clock (builtin -n | string match path)
    set -g __rein_cwd
    set -g __rein_count 0
    set -g __rein_size 0
    set -g __rein_looked
    set -g __rein_private

    function __rein_preexec --on-event fish_preexec
        set -g __rein_cwd $PWD
    end

    function __rein_postexec --on-event fish_postexec
        set -l code $status
        set -l took $CMD_DURATION 0
        set took $took[1]
        set -l text "$argv[1]"
        string match -qr '^[^\s#]' -- $text; and test (string length -- $text) -le 16384; or return
        test -z "$REIN_EPHEMERAL" -o "$REIN_EPHEMERAL" = 0; and test -z "$REIN_AGENT$fish_private_mode"; or return
        # What the user keeps out of the history.
        functions -q fish_should_add_to_history; and not fish_should_add_to_history $text; and return
        __rein_is_private $text; and return
        __rein_has_room; or return
        set -g __rein_count (math $__rein_count + 1)
        set -l begun (__rein_begun $took)
        set -l line 1\t$__rein_count\t"$begun"\t$took\t$code\t(__rein_escaped $__rein_cwd)\t(__rein_escaped $text)\t.
        set -g __rein_size (math $__rein_size + (string length -- $line))
        printf '\n%s\n' $line >>$__rein_file
    end

    # While nobody takes the file away, it grows to 256 KiB.
    function __rein_has_room
        test -s $__rein_file; or set -g __rein_size 0
        if not test -e $__rein_file
            test -w $__rein_dir; or return
            set -l mask $umask
            set -g umask 0077
            printf '' >>$__rein_file
            set -g umask $mask
        end
        test -w $__rein_file -a $__rein_size -lt 262144
    end

    # fish has no clock: a file that was just written has the time.
    function __rein_begun
        test -n "$__rein_has_clock"; or return
        printf '\n' >>$__rein_file
        set -l now (path mtime -- $__rein_file 2>/dev/null)
        and math "$now * 1000 - $argv[1]"
    end

    function __rein_escaped
        string match -qr '[\\\\\t\n]' -- $argv[1]; or begin
            string join '' -- $argv[1]
            return
        end
        set -l lines (string split \n -- $argv[1])
        set lines (string replace -a \\ \\\\ -- $lines)
        set lines (string replace -a \t '\\t' -- $lines)
        string join '\\n' -- $lines
    end

    # Whether the directory, or one above, has .rein/no-memory: looked for once in each, and after a command that names it.
    function __rein_is_private
        set -l dir $__rein_cwd
        if test "$dir" != "$__rein_looked"; or string match -q '*no-memory*' -- $argv[1]
            set -g __rein_looked $dir
            set -g __rein_private
            while string match -q '/*' -- $dir
                test -e $dir/.rein/no-memory; and set -g __rein_private 1
                set dir (string replace -r '/[^/]*$' '' -- $dir)
            end
            test -e /.rein/no-memory; and set -g __rein_private 1
        end
        test -n "$__rein_private"
    end

    # Takes everything back, in this shell.
    function rein_shell_off
        set -q __rein_key; and __rein_key_off
        set -e __rein_session __rein_dir __rein_file __rein_has_clock __rein_cwd __rein_count __rein_size __rein_looked __rein_private
        functions -e __rein_preexec __rein_postexec __rein_has_room __rein_begun __rein_escaped __rein_is_private rein_shell_off
    end
end
