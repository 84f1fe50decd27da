import type { KnownFailure } from './known.ts'

/** What the operating system refuses. */
export const system: readonly KnownFailure[] = [
  {
    name: 'port-in-use',
    general: true,
    output: [
      /EADDRINUSE[^\n]*?:(?<port>\d{2,5})\b/,
      /[Pp]ort (?<port>\d{2,5}) is (?:already )?(?:in use|being used)/,
      /listen tcp \S*:(?<port>\d{2,5}): bind: address already in use/,
      /\('[\d.]+', (?<port>\d{2,5})\): address already in use/,
      /[Aa]ddress already in use/,
    ],
    means: 'Another program already listens on that port, often an earlier start of the same server.',
    run: ['lsof -i :{port}', 'ss -ltnp'],
    sample: {
      command: 'npm run dev',
      exit: 1,
      output: `node:events:502\n      throw er; // Unhandled 'error' event\n      ^\n\nError: listen EADDRINUSE: address already in use 127.0.0.1:3000\n    at Server.setupListenHandle [as _listen2] (node:net:1908:16)\n  code: 'EADDRINUSE',\n  port: 3000`,
    },
  },
  {
    name: 'port-privileged',
    output: [/listen EACCES: permission denied \S*:(?<port>\d+)/, /bind: permission denied/],
    means: 'Ports below 1024 are for the system; take a higher one.',
    run: ['sysctl net.ipv4.ip_unprivileged_port_start'],
    sample: {
      command: 'node server.js',
      exit: 1,
      output: `Error: listen EACCES: permission denied 0.0.0.0:80\n    at Server.setupListenHandle [as _listen2] (node:net:1886:21)`,
    },
  },
  {
    name: 'disk-full',
    output: [/No space left on device|\bENOSPC: no space left|not enough space on the disk|[Dd]isk quota exceeded/],
    means: 'The disk, or the share of it that this user may fill, is full.',
    run: ['df -h .', 'df -i .', 'du -sh ./* | sort -h | tail'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output: 'error: failed to write /srv/app/target/debug/.fingerprint/x: No space left on device (os error 28)',
    },
  },
  {
    name: 'too-many-watches',
    output: [/ENOSPC: System limit for number of file watchers reached|inotify watch limit/],
    means: 'The system watches as many files as it may; a large directory such as node_modules is being watched too.',
    run: ['cat /proc/sys/fs/inotify/max_user_watches'],
    sample: {
      command: 'npm run dev',
      exit: 1,
      output: `Error: ENOSPC: System limit for number of file watchers reached, watch '/srv/app/src'`,
    },
  },
  {
    name: 'too-many-files',
    output: [/EMFILE: too many open files|Too many open files|too many open files/],
    means: 'The process has as many files open as it may.',
    run: ['ulimit -n'],
    sample: {
      command: 'npm run build',
      exit: 1,
      output: `Error: EMFILE: too many open files, open '/srv/app/node_modules/lodash/fp.js'`,
    },
  },
  {
    name: 'memory-exhausted',
    output: [
      /Cannot allocate memory|std::bad_alloc|^MemoryError\b|OutOfMemoryError: Java heap space|oom-kill|Out of memory: Killed process|runtime: out of memory|virtual memory exhausted/m,
    ],
    means: 'There was not enough memory for what the command wanted to do.',
    run: ['free -h'],
    sample: { command: 'bash build.sh', exit: 1, output: 'fork: Cannot allocate memory' },
  },
  {
    name: 'killed',
    exits: [137],
    vague: true,
    means: 'The process was killed from outside, mostly by the system because memory ran out, or at a time limit.',
    run: ['free -h', 'nproc'],
    sample: { command: 'npm test', exit: 137, output: 'Killed' },
  },
  {
    name: 'crashed',
    exits: [139, 134, 138],
    vague: true,
    means: 'The program crashed in native code.',
    run: ['{program} --version'],
    sample: { command: 'ffmpeg -i a.mp4 b.gif', exit: 139, output: 'Segmentation fault (core dumped)' },
  },
  {
    name: 'interrupted',
    exits: [130, 143],
    vague: true,
    means: 'The command was stopped from outside before it ended; it says nothing about success.',
    run: [],
    sample: { command: 'npm run dev', exit: 130, output: 'VITE v7.0.0  ready in 312 ms\n^C' },
  },
  {
    name: 'permission-denied',
    general: true,
    output: [
      /(?:EACCES: permission denied|EPERM: operation not permitted), \w+ '(?<path>[^'\n]+)'/,
      /PermissionError: \[Errno 1?3?\] (?:Permission denied|Operation not permitted): '(?<path>[^'\n]+)'/,
      /^(?:[\w./-]+: )*(?:line \d+: )?(?:cannot (?:\w+ ){1,3})?[‘'"]?(?<path>[^\s‘’'":]+)[’'"]?: (?:Permission denied|Operation not permitted)$/m,
      /(?:open|mkdir|stat|unlinkat) (?<path>\/[^\s:]+): permission denied/,
    ],
    means: 'This user may not do that with {path}: it belongs to somebody else, or the sandbox forbids it.',
    run: ['ls -ld {path}', 'id'],
    sample: {
      command: 'cp app.service /etc/systemd/system/',
      exit: 1,
      output: `cp: cannot create regular file '/etc/systemd/system/app.service': Permission denied`,
    },
  },
  {
    name: 'read-only',
    output: [/Read-only file system|EROFS: read-only file system/],
    means: 'That part of the file system cannot be written, often on purpose in a container or a sandbox.',
    run: ['findmnt --target .', 'pwd'],
    sample: { command: 'touch /usr/x', exit: 1, output: `touch: cannot touch '/usr/x': Read-only file system` },
  },
  {
    name: 'apt-lock',
    output: [/Could not get lock (?<lock>\/var\/lib\/\S+?)\.? /, /dpkg frontend lock was locked by another process/],
    means: 'Another package installation is under way.',
    run: ['ps -C apt,apt-get,dpkg,unattended-upgr -o pid,etime,cmd'],
    sample: {
      command: 'apt-get install -y jq',
      exit: 100,
      output:
        'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1234 (unattended-upgr)\nE: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?',
    },
  },
  {
    name: 'system-package-unknown',
    output: [
      /E: Unable to locate package (?<package>\S+)/,
      /No available formula with the name "(?<package>[^"\n]+)"/,
      /ERROR: unable to select packages:\s+(?<package>\S+) \(no such package\)/,
    ],
    means: 'The package manager of the system knows no {package}: its lists are old, or the package has another name.',
    run: ['apt-cache search {package}', 'apt-get update'],
    sample: {
      command: 'apt-get install -y ripgrp',
      exit: 100,
      output: 'Reading package lists...\nBuilding dependency tree...\nE: Unable to locate package ripgrp',
    },
  },
  {
    name: 'shared-library-missing',
    output: [
      /error while loading shared libraries: (?<library>[\w.+-]+): cannot open shared object file/,
      /version `(?<library>GLIBC\w*_[\d.]+)' not found/,
    ],
    means: 'The program needs the library {library}, which this system does not have.',
    run: ['ldconfig -p', 'ldd --version'],
    sample: {
      command: './chrome --headless',
      exit: 127,
      output:
        './chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory',
    },
  },
]
