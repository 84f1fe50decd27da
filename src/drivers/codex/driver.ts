import type { Driver } from '../contract.ts'
import { assets } from './assets.ts'
import { capabilities, minVersion, reasons, wake } from './capabilities.ts'
import { carry } from './carry.ts'
import { cut } from './cut.ts'
import { decode } from './decode.ts'
import { deployment } from './deployment.ts'
import { encode } from './encode.ts'
import { foreign } from './foreign.ts'
import { launch } from './launch.ts'
import { login } from './login.ts'
import { offline } from './offline.ts'
import { readScreen } from './screen.ts'
import { fileTools, shell } from './shell.ts'
import { stream } from './stream.ts'
import { actions, tools } from './tools.ts'
import { format, locate } from './transcript.ts'

export const codex: Driver = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  npmPackage: '@openai/codex',
  minVersion,
  login,
  hosts: ['stream', 'tmux', 'pty'],
  capabilities,
  reasons,
  assets,
  launch,
  foreign,
  hooks: { atStart: () => false, decode, encode, tellsRewrite: true },
  transcript: { format, locate },
  cut,
  carry,
  compact: null,
  offline,
  shell,
  actions,
  tools,
  fileTools,
  stream,
  terminal: { read: readScreen, interrupt: { keys: ['Escape'], pauseMs: 0 }, enterDelayMs: 300 },
  wake,
  deployment,
}
