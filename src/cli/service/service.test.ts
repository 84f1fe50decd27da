import { describe, expect, test } from 'vitest'
import { launchdService } from './launchd.ts'
import { serviceEnv } from './service.ts'
import { authorOf } from './stamp.ts'
import { systemdService } from './systemd.ts'

const parts = {
  node: '/opt/no de/100%/node',
  rein: '/opt/a "b"/rein.cjs',
  daemon: '/opt/back\\slash/$HOME/daemon.js',
  env: { PATH: '/a:/b c', REIN_HOME: '/x%h<&>' },
}

describe('the systemd unit', () => {
  const unit = systemdService(parts, { env: {}, home: '/home/ada', lingers: false })

  test('runs the daemon in the foreground, and brings agents back', () => {
    const lines = unit.content.split('\n')
    expect(lines.filter((line) => /^(Exec|Env)/.test(line))).toEqual([
      'Environment="PATH=/a:/b c"',
      'Environment="REIN_HOME=/x%%h<&>"',
      String.raw`ExecStartPre="-:/opt/no de/100%%/node" "/opt/a \"b\"/rein.cjs" "daemon" "stop"`,
      String.raw`ExecStart=":/opt/no de/100%%/node" "/opt/back\\slash/$HOME/daemon.js" "--foreground"`,
      String.raw`ExecStartPost="-:/opt/no de/100%%/node" "/opt/a \"b\"/rein.cjs" "up" "--all" "--wait-for-daemon"`,
    ])
  })

  test('never ends agents with the daemon', () => {
    expect(unit.content).toContain('\nKillMode=process\nOOMPolicy=continue\n')
  })

  test('lies where systemd looks', () => {
    expect(unit.file).toBe('/home/ada/.config/systemd/user/rein.service')
    const elsewhere = systemdService(parts, { env: { XDG_CONFIG_HOME: '/conf' }, home: '/home/ada', lingers: true })
    expect([elsewhere.file, elsewhere.hint]).toEqual(['/conf/systemd/user/rein.service', null])
    expect(unit.hint).toContain('loginctl enable-linger')
  })
})

describe('the launchd agent', () => {
  const agent = launchdService(parts, { home: '/Users/ada', uid: 501 })

  test('runs the same, and leaves the agents alone when it ends', () => {
    expect(agent.file).toBe('/Users/ada/Library/LaunchAgents/rein.daemon.plist')
    expect(agent.content).toContain('<string>/opt/no de/100%/node</string>')
    expect(agent.content).toContain('<key>REIN_HOME</key>\n    <string>/x%h&lt;&amp;&gt;</string>')
    expect(agent.content).toContain('"$0" "$1" up --all --wait-for-daemon &amp; exec "$0" "$2" --foreground')
    expect(agent.content).toContain('<key>AbandonProcessGroup</key>\n  <true/>')
    expect(agent.activate).toEqual([['launchctl', 'bootstrap', 'gui/501', agent.file]])
  })

  test('begins as every such file has to', () => {
    expect(agent.content.split('\n')[0]).toBe('<?xml version="1.0" encoding="UTF-8"?>')
  })
})

describe('who wrote a file', () => {
  const files = [
    systemdService(parts, { env: {}, home: '/h', lingers: true }).content,
    launchdService(parts, { home: '/h', uid: 1 }).content,
  ]

  test.each(files)('is told by its stamp', (content) => {
    expect(authorOf(content)).toBe('ours')
    expect(authorOf(`${content}\n`)).toBe('edited')
    expect(authorOf(content.replace('rein.cjs', 'other.cjs'))).toBe('edited')
    expect(authorOf(content.replace(/^.*Written by.*\n/m, ''))).toBe('foreign')
  })
})

test('the service has the variables that are of Rein, and no others', () => {
  const env = {
    PATH: '/bin',
    REIN_HOME: '',
    XDG_STATE_HOME: '/s',
    ANTHROPIC_API_KEY: 'secret',
    REIN_TOKEN: 'x',
    REIN_CLAUDE_PATH: '/c',
  }
  expect(serviceEnv(env)).toEqual({ PATH: '/bin', XDG_STATE_HOME: '/s', REIN_CLAUDE_PATH: '/c' })
})
