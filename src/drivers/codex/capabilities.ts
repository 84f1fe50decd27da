import { dirname } from 'node:path'
import type { HostKind } from '../../contract/agent.ts'
import type { Capabilities, Capability, Wake } from '../contract.ts'

export const minVersion = '0.166.0'

/** Versions that every claim below was tried with. */
const provenVersions = [minVersion]

export const capabilities = (version: string, host: HostKind): Capabilities => ({
  beforeTool: true,
  afterTool: true,
  afterBatch: false,
  onPrompt: true,
  onStart: true,
  onStop: true,
  deny: true,
  rewrite: true,
  wakeIdle: true,
  answerPermission: true,
  resume: true,
  fork: true,
  skills: host !== 'tmux',
  mcp: true,
  headless: true,
  acp: false,
  writesContext: true,
  tellsSubagents: true,
  proven: provenVersions.includes(version),
})

export const reasons = (_: string, host: HostKind): Partial<Record<Capability, string>> => ({
  afterBatch: 'Codex has no hook after a batch of tools: each tool has its own.',
  acp: 'Codex has a protocol of its own (app-server).',
  ...(host === 'tmux'
    ? {
        skills:
          "Codex's terminal takes no further directory of skills for one run: `rein setup` puts them where it looks.",
      }
    : {}),
})

/** A terminal looks into its queue every ten seconds; a paste would be faster, but this presses no key in any dialog. */
export const wake = (): Wake => ({
  kind: 'command',
  command: ({ program, conversation, transcript }, sentence) => ({
    program,
    args: ['queue', `--thread=${conversation}`, `--message=${sentence}`],
    env: { CODEX_HOME: homeOf(transcript) },
  }),
})

/** `<home>/sessions/<year>/<month>/<day>/<file>` */
const homeOf = (transcript: string): string => [1, 2, 3, 4, 5].reduce((path) => dirname(path), transcript)
