import type { Driver } from '../contract.ts'
import { leavings } from './approval.ts'
import { assets } from './assets.ts'
import { capabilities, minVersion, reasons, wake } from './capabilities.ts'
import { carry } from './carry.ts'
import { cut } from './cut.ts'
import { decode } from './decode.ts'
import { byHand, deployment } from './deployment.ts'
import { encode } from './encode.ts'
import { foreign } from './foreign.ts'
import { findsSkills } from './found-skills.ts'
import { ignores } from './ignores.ts'
import { launch, launchByHand } from './launch.ts'
import { login } from './login.ts'
import { startMode } from './mode.ts'
import { offline } from './offline.ts'
import { readScreen } from './screen.ts'
import { fileTools, shell } from './shell.ts'
import { stream } from './stream.ts'
import { actions, tools } from './tools.ts'
import { format, isKnown, locate, subagents } from './transcript.ts'

export const claude: Driver = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  npmPackage: '@anthropic-ai/claude-code',
  minVersion,
  login,
  hosts: ['stream', 'tmux', 'pty'],
  capabilities,
  reasons,
  assets,
  findsSkills,
  launch,
  foreign,
  startMode,
  hooks: { atStart: () => true, decode, encode, tellsRewrite: true, asksWhole: true },
  transcript: { format, locate, isKnown, subagents },
  cut,
  carry,
  compact: '/compact',
  offline,
  shell,
  actions,
  tools,
  fileTools,
  stream,
  terminal: { read: readScreen, interrupt: { keys: ['Escape'], pauseMs: 0 }, enterDelayMs: 0 },
  wake,
  deployment,
  ignores,
  leavings,
  launchByHand,
  byHand,
}
