import type { KnownFailure } from './known.ts'

export const ssh: readonly KnownFailure[] = [
  {
    name: 'ssh-key-refused',
    output: [/Permission denied \([\w,-]*publickey[\w,-]*\)/],
    means:
      'The server knows none of the keys that were offered: no key is loaded, or its public part is not registered there.',
    run: ['ssh-add -l', 'git remote -v'],
    sample: {
      command: 'git push',
      exit: 128,
      output: 'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    },
  },
  {
    name: 'ssh-host-changed',
    output: [/REMOTE HOST IDENTIFICATION HAS CHANGED/],
    means:
      'The server shows another key than before: it was set up anew, or somebody stands in between; ask before trusting it.',
    run: ['ls -l ~/.ssh/known_hosts'],
    sample: {
      command: 'ssh build@10.0.0.5',
      exit: 255,
      output:
        '@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\nHost key verification failed.',
    },
  },
  {
    name: 'ssh-host-unknown',
    output: [/(?<!@\n)^Host key verification failed\.$(?![\s\S]*HAS CHANGED)/m],
    means: 'The server is not among the known hosts, and nobody could be asked whether to trust it.',
    run: ['ls -l ~/.ssh/known_hosts'],
    sample: {
      command: 'git clone git@git.example.com:app.git',
      exit: 128,
      output: "Cloning into 'app'...\nHost key verification failed.\nfatal: Could not read from remote repository.",
    },
  },
  {
    name: 'ssh-key-open',
    output: [/UNPROTECTED PRIVATE KEY FILE|Permissions \d+ for '(?<file>[^'\n]+)' are too open/],
    means: 'The private key can be read by others, so ssh does not use it.',
    run: ['ls -l {file}', 'chmod 600 {file}'],
    sample: {
      command: 'ssh -i key.pem host',
      exit: 255,
      output: `Permissions 0644 for '/home/me/key.pem' are too open.\nIt is required that your private key files are NOT accessible by others.\nThis private key will be ignored.`,
    },
  },
  {
    name: 'ssh-unreachable',
    output: [
      /ssh: connect to host (?<host>\S+) port (?<port>\d+): (?:Connection refused|Connection timed out|No route to host|Network is unreachable|Operation timed out)/,
    ],
    means: '{host} does not answer on port {port}: it is off, the port is another one, or a firewall is in between.',
    run: ['getent hosts {host}', 'ssh -G {host}'],
    sample: { command: 'ssh build', exit: 255, output: 'ssh: connect to host build port 22: Connection refused' },
  },
]
