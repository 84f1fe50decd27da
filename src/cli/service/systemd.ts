import path from 'node:path'
import type { ServiceKind, ServiceParts } from './service.ts'
import { stamp } from './stamp.ts'

const name = 'rein.service'
const systemctl = (...args: string[]): string[] => ['systemctl', '--user', ...args]

interface Place {
  env: Record<string, string | undefined>
  home: string
  /** Whether the user's services run while the user is logged out. */
  lingers: boolean
}

export const systemdService = (parts: ServiceParts, { env, home, lingers }: Place): ServiceKind => {
  const config = env['XDG_CONFIG_HOME']
  const dir = config && path.isAbsolute(config) ? config : path.join(home, '.config')
  const units = path.join(dir, 'systemd/user')
  return {
    file: path.join(units, name),
    links: [path.join(units, 'default.target.wants', name)],
    content: unitFile(parts),
    activate: [systemctl('daemon-reload'), systemctl('enable', name), systemctl('restart', name)],
    deactivate: [systemctl('stop', name)],
    forget: [systemctl('daemon-reload')],
    ask: { command: systemctl('is-active', '--quiet', name), no: [3, 4] },
    hint: lingers ? null : 'It ends when you log out, and your agents with it, unless you say: loginctl enable-linger',
  }
}

/**
 * A daemon that somebody else started is ended first; agents live on and are taken over. What comes after the start comes
 * when the process is there, not when it serves.
 */
const unitFile = ({ node, rein, daemon, env }: ServiceParts): string => {
  const run = (prefix: string, ...words: string[]): string => [`${prefix}${node}`, ...words].map(quoted).join(' ')
  const variables = Object.entries(env).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`)
  const text = `[Unit]
Description=Rein, which keeps CLI coding agents running
StartLimitIntervalSec=0

[Service]
Type=exec
${variables.map((line) => `${line}\n`).join('')}ExecStartPre=${run('-:', rein, 'daemon', 'stop')}
ExecStart=${run(':', daemon, '--foreground')}
ExecStartPost=${run('-:', rein, 'up', '--all', '--wait-for-daemon')}
TimeoutStartSec=11min
Restart=on-failure
RestartSec=5
# Agents are not ended with the daemon.
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=default.target
`
  return `# ${stamp(text)}\n${text}`
}

/** One word for systemd, which looks for specifiers in quotes, too. Variables are not replaced after a colon. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('\n', '\\n')}"`
