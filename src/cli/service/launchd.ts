import path from 'node:path'
import type { ServiceKind, ServiceParts } from './service.ts'
import { stamp } from './stamp.ts'

const label = 'rein.daemon'

export const launchdService = (parts: ServiceParts, { home, uid }: { home: string; uid: number }): ServiceKind => {
  const domain = `gui/${uid}`
  const file = path.join(home, 'Library/LaunchAgents', `${label}.plist`)
  return {
    file,
    content: plistFile(parts),
    links: [],
    activate: [['launchctl', 'bootstrap', domain, file]],
    deactivate: [['launchctl', 'bootout', `${domain}/${label}`]],
    forget: [],
    ask: { command: ['launchctl', 'print', `${domain}/${label}`], no: [113] },
    hint: null,
  }
}

/** Ends a daemon that was started by hand; the next one takes the agents over. */
const script = '"$0" "$1" daemon stop; "$0" "$1" up --all --wait-for-daemon & exec "$0" "$2" --foreground'

const plistFile = ({ node, rein, daemon, env }: ServiceParts): string => {
  const words = ['/bin/sh', '-c', script, node, rein, daemon]
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`
  const body = `<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escaped(word)}</string>\n`).join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(env)
  .map(([key, value]) => `    <key>${escaped(key)}</key>\n    <string>${escaped(value)}</string>\n`)
  .join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`
  return `${head}<!-- ${stamp(head + body)} -->\n${body}`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character)
