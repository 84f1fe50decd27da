import type { HostKind, LaunchRequest, Question } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { HookCall, HookReply } from '../contract/hooks.ts'
import type { Answer, HostEvent, LaunchPlan } from '../contract/host.ts'
import type { Evidence } from '../contract/identity.ts'

/** The CLI as it is installed here. */
export interface Installed {
  path: string
  version: string
}

/** What the installed version can do, each proven with a real one. */
export interface Capabilities {
  beforeTool: boolean
  afterTool: boolean
  afterBatch: boolean
  onPrompt: boolean
  onStart: boolean
  onStop: boolean
  deny: boolean
  rewrite: boolean
  wakeIdle: boolean
  answerPermission: boolean
  resume: boolean
  fork: boolean
  skills: boolean
  mcp: boolean
  headless: boolean
  acp: boolean
  /** Context given in a hook's reply is written into the transcript, which proves that it arrived. */
  writesContext: boolean
  /** A hook call says so when a sub-agent makes it. */
  tellsSubagents: boolean
  /** False for a version nobody has tried: then only what its nearest proven one can do is claimed. */
  proven: boolean
}

/** What a terminal shows, as far as it can be told for sure. */
export type ScreenReading =
  | { kind: 'idle' | 'busy'; draft: string }
  | {
      kind: 'dialog'
      name: string
      asks: Question['kind']
      text: string
      options: { key: string; label: string }[]
    }
  | { kind: 'unknown' }

/** How hook calls reach the daemon. */
export interface HookTransport {
  kind: 'socket' | 'http'
  /** Base address of the daemon's guarded loopback port; only used by `http`. */
  url: string
}

export interface LaunchContext {
  installed: Installed
  host: HostKind
  /** The private directory that holds the driver's `assets`. */
  assets: string
  /** Rein's own variables for the agent's environment. */
  env: Record<string, string>
  newConversation: string
}

export interface DeployContext {
  version: string
  host: HostKind
  /** Rein's own programs: the hook client and the waiter. */
  programs: string
  transport: HookTransport
}

/** One file of what a driver hands to its CLI, relative to a private directory. */
export interface Asset {
  path: string
  content: string
  executable: boolean
}

export interface HookMeta {
  native: string
  agent: string | null
  pid: number | null
  conversation: string | null
}

/** What a line says: news for whoever listens, and what the host needs to keep the open questions. */
export type StreamEvent =
  | HostEvent
  /** `call` is the tool call that waits for the answer. */
  | { kind: 'asked'; question: Question; call: string | null; evidence: Evidence }
  /** Nobody waits for these any more; each is the id of a question or of its tool call. */
  | { kind: 'settled'; ids: string[] }

/** Both directions of a CLI's own headless protocol, line by line. */
export interface StreamProtocol {
  prompt(text: string): string
  interrupt(requestId: string): string
  answer(question: Question, answer: Answer): string
  /** A line of an unknown kind is activity and nothing more. */
  decode(line: string): StreamEvent[]
}

/** Everything Rein knows about one agent CLI: a plain value, one folder, one line in the registry. */
export interface Driver {
  name: string
  title: string
  minVersion: string
  hosts: readonly HostKind[]
  detect(env: NodeJS.ProcessEnv, configuredPath: string | null): Promise<Installed | null>
  capabilities(version: string): Capabilities
  /** Files for a private directory that the CLI is pointed at: the user's own are never edited to launch. */
  assets(context: DeployContext): Asset[]
  launch(request: LaunchRequest, context: LaunchContext): LaunchPlan
  hooks: {
    decode(payload: unknown, meta: HookMeta): HookCall
    /** The CLI's own words for a reply; null says nothing at all. */
    encode(call: HookCall, reply: HookReply, version: string): unknown
  }
  transcript: {
    locate(conversation: string, cwd: string, env: NodeJS.ProcessEnv): string
    /** Null for lines that are no entry of the conversation. */
    parse(line: string): ConversationEntry | null
  }
  stream: StreamProtocol
  /** Reads what its terminal shows; only what was recorded from real ones is believed. */
  readScreen(text: string): ScreenReading
}
