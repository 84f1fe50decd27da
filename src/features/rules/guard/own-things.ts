import path from 'node:path'
import { otherThan } from './other-than.ts'

/** The directories below `.rein/` that agents write; all others bind them. */
export const agentDirectories: readonly string[] = ['notes', 'tasks', 'handover']

export const literal = (name: string): string => name.replaceAll(/[^\w-]/g, '\\$&')

/** A directory is taken by its name, whatever signs stand in it. */
export const escapedGlob = (file: string): string => file.replaceAll(/[*?[\]{}\\!]/g, '\\$&')

/** The variables of Rein for each agent. Excluding a command from memory is free for all. */
export const ownVariables = String.raw`\bREIN_([A-DF-Z]|E[A-OQ-Z]|[*@}\]])`

/** They look, or pass a name on, and change nothing. */
const lookers = (
  'echo printf cat ls stat head tail less more grep egrep fgrep rg ag wc file test [ [[ : printenv jq diff cmp realpath readlink basename dirname du tree git cd gh sha256sum md5sum sha1sum rein true ' +
  'sed awk gawk find fd sort uniq cut tr nl tac bat batcat eza exa which type command xargs cksum column strings pwd pushd yq'
).split(' ')

/** They change, replace or take away the files that they are given. */
const changers =
  'rm mv ln cp chmod chown chattr setfacl truncate tee install unlink sed dd shred trash trash-put gio rsync srm wipe mount umount hash'.split(
    ' ',
  )

/** Programs whose words tell which files they change, so that reading and copying stays free. */
const toldByFiles =
  'cp mv rm ln tee touch mkdir rmdir chmod chown chgrp tar gtar bsdtar rsync scp zip unzip gzip dd truncate install shred unlink prettier eslint source . patch export'.split(
    ' ',
  )

const interpreters = ['python*', 'pypy*', 'node', 'nodejs', 'perl', 'ruby', 'php', 'bun', 'deno', 'lua*']

/** How code of other languages changes a file, starts a program or opens a socket. */
const changingCode = String.raw`(?i)(write|unlink|remove|delete|rmtree|rmdir|rename|replace|chmod|link\(|truncate|dump|touch|copy|move|\brm\b|execute|connect|system|exec|spawn|popen|subprocess|open\([^)]*["'][rwax]?[wax+]b?\+?["']|>)`

/** Below `.rein/`, but for what agents write. */
const ownInProject = String.raw`(^|[^\w.-])\.rein(["'\s),;:\]]|/*$|/+(["'\s),;]|${otherThan(agentDirectories, String.raw`/\s"'`, '/')}))`

/** Rein's directories, sockets and databases, however the way to them is spelled. */
const ownElsewhere = [
  String.raw`(\.config|\.local\W{1,6}(state|share|lib)|\.cache|Application Support|XDG_[A-Z_]+|/run/user/[^/\s]+)\W{1,8}rein\b`,
  String.raw`\brein[\w-]*\.(sock|socket|db|pid|lock|sqlite\w*)\b`,
  String.raw`/rein/\S*\.(sock|socket|db|pid|lock|json|toml|ya?ml)\b`,
  String.raw`\brein (-\S+ )*config (-\S+ )*paths\b`,
].join('|')

/** `rein`, also as people spell it who look for a process and not for themselves. */
const itself = String.raw`\brein\b|\[r\]ein|r\[e\]in|re\[i\]n|rei\[n\]|\brei[.*]|\br[.]in\b`

const ownProcess = String.raw`${itself}|daemon\.js|keeper\.js|dist/(daemon|keeper)`

/** Commands that end a service, or keep it from restarting. */
const ends =
  'stop|disable|kill|mask|unload|restart|remove|bootout|reset-failed|edit|set-property|revert|freeze|delete|terminate|clean|(Stop|Kill|Restart|Disable|Mask|Freeze|Revert|Clean)[A-Z]\\w+'

/** They end, stop or look into processes. */
const killers =
  'kill pkill killall xkill fuser skill snice gdb lldb prlimit strace ltrace gcore reptyr criu frida nsenter renice killall5 cgdb rr bpftrace'.split(
    ' ',
  )

const services =
  'systemctl launchctl service loginctl rc-service sv supervisorctl pm2 forever s6-svc initctl busctl dbus-send gdbus systemd-run'.split(
    ' ',
  )

const agents = ['claude', 'codex', 'gemini', 'copilot', 'opencode', 'cursor-agent']

const agentNames = agents.join('|')

/** Commands that end Rein's process, or keep it from restarting. */
const endings: readonly object[] = [
  { shell: { program: killers, words: ownProcess } },
  // By a number that was looked up before.
  {
    all: [
      { shell: { program: ['kill', 'pkill', 'killall', 'gdb', 'strace', 'renice', 'prlimit'] } },
      {
        regex: {
          pattern: String.raw`daemon\.json|\b(pgrep|pidof|ps|lsof|ss|netstat|fuser|systemctl|top|grep|awk)\b[^;|&\n]*(${ownProcess})|/rein/\S*\.(pid|lock|json)|REIN_PID`,
          on: 'command',
        },
      },
    ],
  },
  {
    all: [
      { shell: { program: interpreters, words: String.raw`(?i)\bkill\w*\b|terminate|SIG(KILL|TERM|STOP|INT|HUP)` } },
      {
        regex: {
          pattern: String.raw`\b(pgrep|pidof|psutil|process_iter|ps)\b(.|\n)*(${ownProcess})|(${ownProcess})(.|\n)*\b(psutil|process_iter)\b|daemon\.json`,
          on: 'command',
        },
      },
    ],
  },
  // An agent whose settings, and the hooks in them, lie elsewhere.
  {
    regex: {
      pattern: String.raw`\b(CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|COPILOT_HOME|OPENCODE_(CONFIG|DISABLE)\w*)=\S+\s+(\S+=\S*\s+)*(${agentNames})\b|\b(HOME|XDG_CONFIG_HOME|XDG_STATE_HOME|XDG_RUNTIME_DIR|NODE_OPTIONS|LD_PRELOAD)=\S+\s+(\S+=\S*\s+)*(${agentNames}|rein)\b|\bPATH=["']?(/tmp|/var/tmp|/dev/shm|\.|\$PWD|\$\(pwd)\S*\s+(\S+=\S*\s+)*(${agentNames}|rein)\b`,
      on: 'command',
    },
  },
  // Set for all that follows.
  {
    all: [
      {
        regex: {
          pattern: String.raw`\b(export|declare|typeset|setenv|set -gx?|unset)\s[^;|&\n]*\b(HOME|XDG_(CONFIG|STATE|RUNTIME)_?\w*|NODE_OPTIONS|LD_PRELOAD|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|COPILOT_HOME)\b`,
          on: 'command',
        },
      },
      { shell: { program: ['rein', ...agents] } },
    ],
  },
  {
    shell: {
      program: 'env',
      words: String.raw`^env (\S+ )*(-i|-|--ignore-environment|-u\s?\S+|--unset=\S+) (\S+ )*(rein|${agentNames})( |$)`,
    },
  },
  // Each Node of the person, and the daemon with them.
  { shell: { program: ['pkill', 'killall'], words: String.raw`^\w+( -\S+)* ['"^]*node(js)?\$?['"]*$` } },
  { shell: { program: 'kill', words: String.raw`(pidof|pgrep( -\S+)*) node` } },
  {
    shell: {
      program: 'tmux',
      words: String.raw`-[LS] ?\S*rein\S* .*kill-(server|session)|\b(kill-\S+|send-keys|send|respawn-\S+|paste-buffer) .*-t ?\S*\brein\b`,
    },
  },
  { shell: { program: ['xdotool', 'ydotool', 'wtype', 'dotool', 'osascript', 'wmctrl'], words: itself } },
  // Injected keys could answer questions that only a person should.
  {
    shell: {
      program: ['xdotool', 'ydotool', 'dotool', 'wtype', 'xte', 'xvkbd'],
      words: String.raw`\b(type|key)\b|^(wtype|xte|xvkbd|dotool)\b`,
    },
  },
  {
    shell: {
      program: 'tmux',
      words: String.raw`\bsend(-keys)?\b.*\s["']?(y|Y|yes|a|allow|approve|[0-9])["']?( (Enter|C-m|C-j))?$`,
    },
  },
  {
    all: [
      { regex: { pattern: 'TIOCSTI', on: 'command' } },
      { shell: { program: ['*', ...lookers.map((name) => `!${name}`)] } },
    ],
  },
  { regex: { pattern: String.raw`/sys/fs/cgroup/\S*\brein\b`, on: 'command' } },
  {
    shell: {
      program:
        'iptables ip6tables nft ufw firewall-cmd aa-disable aa-complain aa-teardown apparmor_parser usermod userdel passwd chage setcap chcon'.split(
          ' ',
        ),
      words: itself,
    },
  },
  // Its hooks, by hand.
  {
    all: [
      { shell: { program: ['rein-hook', 'rein-guard', 'rein-wait'] } },
      { regex: { pattern: String.raw`(^|[^\w./-])([~/$]\S*/)?rein-(hook|guard|wait)\b`, on: 'command' } },
    ],
  },
  // What a person is asked, a person answers.
  { shell: { program: 'expect', words: itself } },
  { shell: { program: services, words: String.raw`\b(${ends})\b.*(${itself})|(${itself}).*\b(${ends})\b` } },
  // All that runs for the person, and the daemon with it.
  {
    shell: {
      program: 'systemctl',
      words: String.raw`^systemctl (-\S+ )*(exit|isolate|poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency)( |$)|\b(stop|kill|restart)\b.* user(@|-\d)`,
    },
  },
  { shell: { program: 'loginctl', words: String.raw` ((terminate|kill)-(user|session|seat)|disable-linger)( |$)` } },
  { shell: { program: 'kill', words: String.raw`^kill (.* )?-- -1$|^kill -(\w+|s \w+) -1$` } },
  { shell: { program: ['pkill', 'killall'], words: String.raw`^\w+( -\w+)* (-[uU]|--e?uid|--user)[ =]?\S+( -\w+)*$` } },
  {
    shell: {
      program: ['usermod', 'userdel', 'aa-disable', 'aa-complain', 'aa-teardown', 'iptables', 'nft'],
      words: itself,
    },
  },
  {
    shell: {
      program: ['docker', 'podman', 'screen'],
      words: String.raw`\b(stop|kill|rm|pause|restart|quit)\b.*\brein\b|\brein\b.*\bquit\b`,
    },
  },
]

/** The programs that people and hooks start. */
const ownNames = 'rein(-(hook|guard|wait))?'

/** The programs themselves, by name, in an unknown directory or by a command that finds them; known paths are files. */
const ownPrograms = String.raw`(^|[\s"'])(\$\S*/)?(rein-(hook|guard|wait)|rein\.cjs)(["'*)\s]|$)|/s?bin/rei(n|\*|\?|\[)|node_modules/rein(/|\s|$)|(which|command -v|type -[pP]|npm root|npm prefix|npm bin|whereis)[^)\n]*\)?["']?(/lib/node_modules)?[/ ]-?-?\S*\brein\b`

const packagers =
  'npm pnpm yarn bun volta brew apt apt-get dpkg pacman dnf yum snap nix-env pip pipx uv cargo asdf mise port zypper apk rpm code codium cursor gemini claude opencode'.split(
    ' ',
  )

/** Commands that remove its programs, or start an agent without them. */
const removals: readonly object[] = [
  { shell: { program: changers, words: ownPrograms } },
  {
    shell: {
      program: packagers,
      words: String.raw`^\S+ (\S+ )*?(uninstall|remove|rm|un|unlink|r|purge|erase|autoremove|delete|-R\w*|-[eP]|--remove|--purge|del|--uninstall-extension|disable) (\S+ )*?(-\S+ )*((\S*/)?rein(@\S*)?|@?rein[/.]\S+)( |$)`,
    },
  },
  // Another version of it, or something else by its name.
  {
    shell: {
      program: ['npm', 'pnpm', 'yarn', 'bun', 'volta'],
      words: String.raw`^\S+ (\S+ )*?(i|install|add|link|update|upgrade) (\S+ )*?(-g|--global|--location=global) (\S+ )*?(\S*/)?rein(@\S*)?( |$)|^\S+ (\S+ )*?(i|install|add|link|update|upgrade) (\S+ )*?(\S*/)?rein(@\S*)? (\S+ )*?(-g|--global|--location=global)( |$)|rein@npm:`,
    },
  },
  {
    regex: {
      pattern: String.raw`>\s*["']?(\$\(|` + '`' + String.raw`)(which|command -v|type -[pP]) (-\S+ )*rein`,
      on: 'command',
    },
  },
  {
    shell: {
      program: ['pgrep', 'ps', 'pidof', 'lsof', 'jq', 'cat', 'grep', 'ss', 'awk', 'sed', 'fuser', 'netstat'],
      words: ownProcess,
      pipes_to: ['kill', 'pkill', 'killall'],
    },
  },
  {
    shell: {
      program: agents,
      words: String.raw`disableAllHooks|--bare\b|hooks\.enabled=false|--settings\b|--setting-sources\b|--no-hooks|--safe-mode|--managed-settings|(-c|--config) ?["']?(\S*hooks?\S*|notify)=|--disable[ =]\S*hooks|\bhooks? (disable|remove|rm|off|uninstall|delete)\b|--dangerously-\S+|--yolo\b|--approval-mode[ =]yolo|--allow-all-tools|--ignore-user-config|--pure\b|--no-(plugins|extensions)\b|\bconfig (set|add|remove|rm|unset|delete) .*hook|\b(mcp|plugins?|extensions?) (remove|rm|uninstall|disable|delete) .*\brein\b`,
    },
  },
  {
    shell: {
      program: ['code', 'code-insiders', 'codium', 'cursor', 'windsurf'],
      words: String.raw`--(uninstall|disable)-extension[ =]\S*\brein\b`,
    },
  },
  // An agent at a place of which the rules are taken away before.
  { all: [{ shell: { deletes: ['/**/.rein/**'] } }, { shell: { program: agents } }] },
  // Another thing by the name of its programs, here or in each shell to come.
  {
    regex: {
      pattern: String.raw`\balias\s+(-\S+\s+)*["']?${ownNames}=|(^|[\s;&|({'"])(function\s+${ownNames}([^\w-]|$)|${ownNames}\s*\(\s*\))|\bhash\s+-p\s+\S+\s+rein|\bunalias\s+rein|\bunset\s+-f\s+_*rein`,
      on: 'command',
    },
  },
]

const startFiles = String.raw`\.(bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|config/fish|envrc|xprofile|pam_environment|config/environment\.d)|/etc/(profile|environment|bash\.bashrc|zsh)|crontab`

/** Changes of shell startup files that name Rein's programs or variables. */
const startings: readonly object[] = [
  {
    all: [
      {
        any: [
          {
            shell: {
              program: [
                'sed',
                'gsed',
                'perl',
                'ed',
                'ex',
                'vim',
                'awk',
                'gawk',
                'python*',
                'ruby',
                'tee',
                'crontab',
                'sponge',
              ],
              words: startFiles,
            },
          },
          {
            shell: {
              writes: [
                '~/.{bashrc,bash_profile,bash_login,profile,zshrc,zshenv,zprofile,zlogin,xprofile,pam_environment}',
                '~/.config/{fish,environment.d}/**',
                '/etc/{profile,environment,bash.bashrc}',
                '/etc/profile.d/**',
              ],
            },
          },
          { shell: { program: 'crontab' } },
        ],
      },
      {
        regex: {
          pattern: String.raw`(?i)\brein\b|\bREIN_|disableAllHooks|(CLAUDE_CONFIG_DIR|CODEX_HOME|XDG_STATE_HOME|XDG_CONFIG_HOME|NODE_OPTIONS|LD_PRELOAD|BASH_ENV)=|\bPATH=["']?(/tmp|/var/tmp|/dev/shm|\.)`,
          on: 'command',
        },
      },
    ],
  },
]

/** Git hides, gives up or brings back what is named to it. */
const gitHandling = {
  shell: {
    program: 'git',
    words: String.raw`^git (\S+ )*?(update-index .*--(skip-worktree|assume-unchanged|force-remove)|rm|mv|clean|checkout-index|sparse-checkout|filter-branch|filter-repo|stash push|stash save|worktree add|submodule add|bundle create|format-patch)\b.*(${ownInProject})`,
  },
}

/** All other changes of Rein's own things, by any program. */
export const handles = ({ state, runtime }: { state: string; runtime: string }): object[] => {
  const own = [state, runtime].map((directory) => String.raw`(^|[^\w.-])${literal(directory)}(/|\s|$)`)
  const others = ['*', ...lookers.map((name) => `!${name}`)]
  return [
    { shell: { program: others, words: [ownVariables, ...own, ownElsewhere].join('|') } },
    // A variable that is set before a program is none of its words.
    { regex: { pattern: String.raw`(^|[\s;&|("'])REIN_([A-DF-Z]|E[A-OQ-Z])[A-Z_]*\+?=`, on: 'command' } },
    ...endings,
    ...removals,
    ...startings,
    gitHandling,
  ]
}

/** They show names or sums of the files that they are given. */
const namers = ['ls', 'stat', 'file', 'du', 'wc', 'echo', 'basename', 'dirname', 'sha256sum', 'md5sum', 'test', 'rein']

/** The daemon's token is not read, either: not by its name, nor with all that is in a directory above it. */
export const readsToken = ({ state, home }: { state: string; home: string }): object => {
  const below = path.relative(home, state)
  const names = below.split('/')
  // Who searches hidden directories of a home as a whole reads it; who searches a project that it lies in means the project.
  const above = /^\.\w/.test(below) ? names.slice(0, -1).map((_, at) => `~/${names.slice(0, at + 1).join('/')}`) : []
  const program = ['*', ...namers.map((name) => `!${name}`)]
  const whole = String.raw`${literal(state)}(/endpoint\S*|/\S*[*?\[]\S*|/?)`
  return {
    any: [
      {
        shell: {
          program,
          reads: [`${escapedGlob(state)}/endpoint.json`, escapedGlob(state), ...above.map(escapedGlob)],
        },
      },
      // Programs that read what another finds or what an option names.
      { shell: { program: ['find', 'fd'], words: `${whole}.* (-exec|-execdir|-ok|-x|-X) ${otherThan(namers, ' ')}` } },
      { shell: { program: ['find', 'fd', 'ls', 'rg', 'echo', 'printf'], words: whole, pipes_to: 'xargs' } },
      { shell: { program: 'gh', words: String.raw`^gh (gist|api|release) (.* )?(\S*[=@])?${whole}( |$)` } },
      {
        shell: {
          program: 'git',
          words: String.raw`^git (\S+ )*?(diff|grep|hash-object|config|apply|add|archive) (.* )?(\S*=)?${whole}( |$)`,
        },
      },
    ],
  }
}

/** A guard is in doubt about the token only where a line names it and Rein. */
export const namesToken: object = {
  regex: { pattern: String.raw`\brein\b.*\bendp|\bendp.*\brein\b`, flags: 's', on: 'command' },
}

/** Changes by programs whose use of their files is unknown. */
export const projectHandles: readonly object[] = [
  {
    shell: {
      program: ['*', ...[...lookers, ...toldByFiles, ...interpreters].map((name) => `!${name}`)],
      words: ownInProject,
    },
  },
  {
    all: [
      { shell: { program: interpreters, words: ownInProject } },
      { shell: { program: interpreters, words: changingCode } },
    ],
  },
]

/** As with files, a guard is in doubt only about a line that names one of them. */
export const namesThings = ({ state, runtime }: { state: string; runtime: string }): object => ({
  regex: {
    pattern: [
      ownVariables,
      'REIN_[A-Z]+=',
      ownElsewhere,
      ...[state, runtime].map((directory) => `/${literal(path.basename(directory))}\\b`),
      String.raw`\b(${[...killers, ...services, 'tmux'].join('|')})\b(.|\n)*(\brein|\[r\]ein)|(\brein\b|\[r\]ein)(.|\n)*\bkill`,
      String.raw`daemon\.js|CLAUDE_CONFIG_DIR=|CODEX_HOME=|GEMINI_CLI_HOME=|COPILOT_HOME=|keeper\.js|dist/(daemon|keeper)|disableAllHooks|hooks\.enabled|--bare\b`,
      String.raw`\b(pkill|killall|pidof|pgrep)\b.*\bnode|\b(uninstall|remove|rm|un|unlink|r)\b.*\brein\b|rein-(guard|hook|wait)|rein\.cjs|bin/rein\b|(which|command -v|type -[pP]) (-\S+ )*rein`,
    ].join('|'),
    on: 'command',
  },
})
