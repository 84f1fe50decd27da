import type { Driver } from '../contract.ts'
import { assets } from './assets.ts'
import { capabilities, minVersion, reasons, wake } from './capabilities.ts'
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

export const opencode: Driver = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  npmPackage: 'opencode-ai',
  minVersion,
  login,
  hosts: ['stream', 'tmux', 'pty'],
  capabilities,
  reasons,
  assets,
  launch,
  foreign,
  hooks: { atStart: () => false, decode, encode, tellsRewrite: false },
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
  // The first Escape only asks for the second.
  terminal: { read: readScreen, interrupt: { keys: ['Escape', 'Escape'], pauseMs: 300 }, enterDelayMs: 200 },
  wake,
  deployment,
}
