import type { Driver } from '../contract.ts'
import { assets } from './assets.ts'
import { capabilities, minVersion, reasons } from './capabilities.ts'
import { cut } from './cut.ts'
import { decode } from './decode.ts'
import { deployment } from './deployment.ts'
import { encode } from './encode.ts'
import { foreign } from './foreign.ts'
import { launch } from './launch.ts'
import { login } from './login.ts'
import { readScreen } from './screen.ts'
import { fileTools, shell } from './shell.ts'
import { stream } from './stream.ts'
import { actions, tools } from './tools.ts'
import { format, locate } from './transcript.ts'

export const copilot: Driver = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  program: 'copilot',
  npmPackage: '@github/copilot',
  minVersion,
  login,
  hosts: ['stream', 'tmux', 'pty'],
  capabilities,
  reasons,
  assets,
  launch,
  foreign,
  hooks: { atStart: () => false, decode, encode, tellsRewrite: true, asksOriginal: true },
  transcript: { format, locate },
  cut,
  carry: null,
  compact: null,
  offline: null,
  shell,
  actions,
  tools,
  fileTools,
  stream,
  terminal: { read: readScreen, interrupt: { keys: ['Escape', 'Escape'], pauseMs: 250 }, enterDelayMs: 300 },
  wake: () => ({ kind: 'paste' }),
  deployment,
}
