import type { ToolActions } from '../contract/action.ts'
import type { HostKind, LaunchRequest, Question } from '../contract/agent.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { HookCall, HookReply, ToolCall } from '../contract/hooks.ts'
import type { Answer, HostEvent, LaunchPlan } from '../contract/host.ts'
import type { Evidence } from '../contract/identity.ts'
import type { LiveEvent } from '../contract/live.ts'
import type { TurnBlock } from '../contract/turn.ts'
import type { Login } from './login.ts'
import type { ToolTable } from './tool-kinds.ts'

/** The CLI as it is installed here. */
export interface Installed {
  path: string
  version: string
}

/** What an installed version can do in one kind of host, each proven with a real one. */
export interface Capabilities {
  /** It calls before a tool runs; what was said then would reach the model with the result at best. */
  beforeTool: boolean
  /** Context given here, and at the next ones, reaches the model. */
  afterTool: boolean
  afterBatch: boolean
  onPrompt: boolean
  onStart: boolean
  onStop: boolean
  deny: boolean
  /** It asks a person about a tool call when a hook wants it to. */
  ask: boolean
  rewrite: boolean
  wakeIdle: boolean
  answerPermission: boolean
  resume: boolean
  fork: boolean
  /** A conversation can be cut after any turn, and goes on from there as it was. */
  cut: boolean
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
export type Capability = keyof Capabilities

/** What a terminal shows, as far as it can be told for sure. */
export type ScreenReading =
  | { kind: 'idle' | 'busy'; draft: string }
  | {
      kind: 'dialog'
      name: DialogName
      asks: Question['kind']
      /** What stands above its options: the same until another one opens, wherever the mark is moved. */
      about: string
      text: string
      options: ScreenOption[]
    }
  /** A dialog says that a usage limit is reached; `close` are the keys that close it and wait. */
  | { kind: 'limited'; until: number | null; close: readonly string[] }
  | { kind: 'unknown' }

/** What a dialog is about. */
export type DialogName =
  | 'permission'
  | 'always allow'
  | 'plan'
  | 'question'
  | 'trust'
  | 'API key'
  | 'login'
  | 'update'
  | 'bypass permissions'
  | 'auto mode'
  | 'MCP server'
  | 'hooks review'
  | 'settings error'
  | 'working directory'
  | 'rewind'
  | 'limit'
  | 'unknown dialog'

export interface ScreenOption {
  label: string
  /** What to press, in tmux's names, to choose it. */
  keys: readonly string[]
  means: 'allow' | 'deny' | 'other'
  /** It opens a line in which the answer is written. */
  takesText?: boolean
  /** Whether the mark stands on it, where keys move one: the last key is pressed only when it does. */
  isMarked?: boolean
}

/** How a CLI's own terminal is read and typed to, by a program that is careful. */
export interface Terminal {
  /** Only what was recorded from real ones is believed; `now` is for the times that a screen names without a day. */
  read(screen: string, now?: number): ScreenReading
  /** Keys that interrupt, pressed one after the other. */
  interrupt: { keys: readonly string[]; pauseMs: number }
  /** Some lose an Enter that comes right after a paste. */
  enterDelayMs: number
}

/** The best way to start a turn in an idle terminal agent. */
export type Wake =
  /** A process of `rein-wait` that the CLI (or the plugin in it) started and listens to. */
  | { kind: 'waiter' }
  /** A command of the CLI itself. */
  | { kind: 'command'; command(target: WakeTarget, sentence: string): WakeCommand }
  /** Typed into its terminal, with care. */
  | { kind: 'paste' }

interface WakeTarget {
  program: string
  conversation: string
  transcript: string
}

interface WakeCommand {
  program: string
  args: string[]
  env: Record<string, string>
}

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
  /** A directory of this agent's own, for files that only this agent's CLI is to read. */
  private: string
  /** Rein's own variables for the agent's environment. */
  env: Record<string, string>
  /** The command that serves Rein's MCP tools on its standard input and output; it needs `bridgeVariables`. */
  mcp: readonly string[]
  /** Rein's skills are not among the assets: the CLI finds them by itself. */
  findsSkills?: boolean
  newConversation: string
}

export interface AssetContext {
  version: string
  host: HostKind
  /** Rein's own programs: the hook client and the waiter. */
  programs: string
  /** Rein's own skills, one directory each; null where the CLI finds them by itself. */
  skills: string | null
  transport: HookTransport
}

/** One file of what a driver hands to its CLI, relative to a private directory. */
export interface Asset {
  path: string
  content: string
  executable: boolean
}

/** A directory that may have come from anybody, and what of Rein's own may lie in it. */
export interface ForeignPlace {
  cwd: string
  /** The environment that the CLI would run in. */
  env: NodeJS.ProcessEnv
  own: {
    /** The directory of the programs that deployed hooks call. */
    hooks: string
    /** The command `rein` of this state directory. */
    rein: string
    /** The directory of this installation's own programs. */
    programs: string
  }
}

/** One thing that a directory makes a CLI run, or that steers what it runs. */
export interface ForeignItem {
  file: string
  /** `hook SessionStart`, `MCP server db`, `variable PATH`. */
  what: string
  /** Its command line, address or value. */
  command: string
}

/** What Rein knows about directories that this CLI has not been told to trust. */
export interface Foreign {
  /** Hooks, servers, plugins and variables of the directory that count without anybody being asked. */
  items(place: ForeignPlace): ForeignItem[]
  /** Whether a person has told the CLI itself to trust the directory. */
  isTrusted(place: ForeignPlace): boolean
  /** Whether the CLI asks a person before it runs any of it. */
  asks(host: HostKind, request: LaunchRequest): boolean
  /** What of it keeps Rein's hooks from running, or from deciding, and is not outranked by how the CLI was started. */
  weakens(place: ForeignPlace, how: { isLaunched: boolean; isHttp: boolean }): ForeignItem[]
}

/** Where `rein setup` puts things: one project, or everything of this user. */
export interface SetupContext {
  version: string
  scope: 'project' | 'user'
  /** The project's directory. */
  project: string
  /** In a project: into files that others get with the repository, where the CLI has others too. */
  isShared: boolean
  /** The user's environment: CLIs move their directories by variables. */
  env: NodeJS.ProcessEnv
  /** The directory of this installation's own programs. */
  programs: string
  /** The deployed hook client, called as `<hook> <driver> <Event>`; it does nothing in agents that Rein launched. */
  hook: string
  /** The deployed waiter. */
  waiter: string
  /** The deployed guard, called like the hook client before each tool. */
  guard: string
  /** The command that serves MCP on its standard input and output. */
  mcp: readonly string[]
  skills: readonly Skill[]
}

export interface Skill {
  name: string
  content: string
}

/** One change that `rein setup` makes and `rein cleanup` takes back. */
export type Deployment =
  /** A file that is wholly Rein's. */
  | { kind: 'file'; path: string; content: string; executable: boolean }
  /** Entries in a list of a JSON file; `marker` stands in each of them and in nothing else. */
  | { kind: 'json-items'; path: string; at: readonly string[]; items: readonly unknown[]; marker: string }
  /** One key of a JSON file. */
  | { kind: 'json-key'; path: string; at: readonly string[]; value: unknown }
  /** One table of a TOML file. */
  | { kind: 'toml-table'; path: string; table: readonly string[]; values: Record<string, unknown> }
  /** Lines between two marks in a file of instructions. */
  | { kind: 'text-block'; path: string; text: string }

export interface HookMeta {
  native: string
  agent: string | null
  pid: number | null
  conversation: string | null
}

/** What a line says: news for whoever listens, and what the host needs to keep the open questions. */
export type StreamEvent =
  | HostEvent
  /** `call` is the tool call that waits for the answer; `tool` what it is in the CLI's own words, where the question has others. */
  | {
      kind: 'asked'
      question: Question
      call: string | null
      tool?: Pick<ToolCall, 'name' | 'input'> | undefined
      /** A sub-agent asks, which may go on waiting when the turn is over. */
      outlastsTurn?: boolean
      evidence: Evidence
    }
  /** Nobody waits for these any more; each is the id of a question or of its tool call. */
  | { kind: 'settled'; ids: string[] }

/** One line to the CLI's standard input. */
export type Send = (line: string) => Promise<void>

/** Both directions of a CLI's own headless protocol for one process. */
export interface StreamSession {
  /** Says hello to a process that has just started; resolves when it takes prompts. */
  begin(plan: LaunchPlan): Promise<void>
  prompt(text: string): Promise<void>
  interrupt(): Promise<void>
  answer(question: Question, answer: Answer): Promise<void>
  /** Its turn is over, though no line said so: nothing of it is waited for any more. */
  endTurn?(): void
  /** A line that the CLI printed. One of an unknown kind is activity and nothing more. */
  receive(line: string): StreamEvent[]
  /** The same line, after that, for whoever looks at the agent as it works. Called only while somebody does. */
  live(line: string): LiveEvent[]
}

/** How a conversation is kept on disk. */
export type TranscriptFormat =
  /** A growing file of lines; a reader may remember what came before. */
  | { kind: 'lines'; reader: () => (line: string) => ConversationEntry[] }
  /** A table of a database; `query` takes the conversation and the position of the last row, which each row gives as `position`. */
  | { kind: 'rows'; query: string; reader: () => (row: Record<string, unknown>) => ConversationEntry[] }

/** A conversation, and where the new one that is made of it ends. */
export interface CutRequest {
  conversation: string
  /** The file or database that it is kept in. */
  transcript: string
  /** The last entry that the new one has, in the transcript reader's words. */
  after: string
  /** Its id, where the CLI lets it be chosen. */
  newConversation: string
  /** Where it is to be resumed: CLIs keep conversations by directory. */
  cwd: string
  env: NodeJS.ProcessEnv
  installed: Installed
}

export interface Cut {
  conversation: string
  transcript: string
  /** Lines of the source that could not be read, by number; nothing that was kept depends on them. */
  damaged: number[]
}

/** Makes a new conversation of the beginning of another, in the CLI's own store; the source is only read. */
export type ConversationCut = (request: CutRequest) => Promise<Cut>

/** One file of a conversation that goes to another machine, under a name that says what it is. */
export interface CarriedFile {
  /** `transcript.jsonl`, `subagents/agent-<id>.jsonl`, `subagents/agent-<id>.meta.json` or `tool-results/<name>`. */
  name: string
  content: string
}

/** One that has come, read when it is wanted: all of them together may be large. */
export interface ArrivingFile extends Pick<CarriedFile, 'name'> {
  read: () => Promise<string>
}

/** A conversation that came from another machine, and where it is to go on. */
export interface Arrival {
  files: readonly ArrivingFile[]
  /** Its own id here. */
  newConversation: string
  /** What it was called there, and the top of the work tree that it was held in. */
  from: { conversation: string; root: string }
  /** The top of the work tree here, and the directory in it where it is resumed. */
  root: string
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Takes conversations from one machine to another. */
export interface ConversationCarry {
  /** What a cut makes, as files; `scratch` is an empty directory for it. */
  pack(request: Omit<CutRequest, 'env'>, scratch: string): Promise<CarriedFile[]>
  /** Writes it where the CLI finds it. Structural fields follow; what the model was told stays byte for byte. */
  unpack(arrival: Arrival): Promise<Pick<Cut, 'conversation' | 'transcript'>>
}

/** How the CLI is run with a scripted model: offline, with a dummy key, in a home that has nothing of the user's. */
export interface Offline {
  /** Files of that home, by their path in it: it talks to the model at `url`, and asks nothing at its start in `cwd`. */
  files(url: string, cwd: string): Record<string, string>
  env(url: string): Record<string, string>
}

/** A call of the shell tool. */
export interface ShellCall {
  command: string
  /** The directory that the call names. */
  cwd: string | null
}

/** How a command ended; `output` is all that was printed, as far as it is told. */
export interface ShellEnd {
  outcome: Outcome
  exit: number | null
  durationMs: number | null
  /** So much may have gone by before the CLI began to count; none where that is not said. */
  uncountedMs?: number
  output: string
}

/** The shell tool of a CLI, whatever names it had. */
export interface ShellTool {
  /** Null for any other tool. */
  call(name: string, input: Record<string, unknown>): ShellCall | null
  /** As the transcript tells it; null if it was never run: refused by a person, a rule or a hook. */
  end(result: Extract<TurnBlock, { type: 'tool_result' }>, raw: Record<string, unknown>): ShellEnd | null
  /** As the hook that is called after it tells it; null if that does not say, or it was never run. */
  heard(response: unknown, native: string): ShellEnd | null
  /** As a line beside the conversation tells it, before its result is written; where there is such a line. */
  noted?(raw: Record<string, unknown>): { id: string; end: ShellEnd } | null
}

/** Tools that do what people do with `cat`, `sed -i`, a heredoc, `grep` and `find`; null where the CLI has none. */
export interface FileTools {
  read: string | null
  edit: string | null
  write: string | null
  search: string | null
  find: string | null
}

/** Everything Rein knows about one agent CLI: a plain value, one folder, one line in the registry. */
export interface Driver {
  name: string
  title: string
  /** Its name on the PATH. */
  program: string
  /** What npm installs it as: a process may show the files of that package alone. */
  npmPackage: string
  /** The oldest version whose hooks carry context. */
  minVersion: string
  login: Login
  hosts: readonly HostKind[]
  capabilities(version: string, host: HostKind): Capabilities
  /** Why not, for what it cannot do. */
  reasons(version: string, host: HostKind): Partial<Record<Capability, string>>
  /** Files for a private directory that the CLI is pointed at: the user's own are never edited to launch. */
  assets(context: AssetContext): Asset[]
  /** Whether it finds there what `rein setup` has deployed of Rein's skills: they are to be listed once. */
  findsSkills?(cwd: string, env: NodeJS.ProcessEnv): boolean
  launch(request: LaunchRequest, context: LaunchContext): LaunchPlan
  foreign: Foreign
  /** The permission mode that it starts in, where that may ask nobody although nothing was said. */
  startMode?(request: LaunchRequest, version: string, host: HostKind): string
  hooks: {
    /** Whether one is called when the CLI starts, and not only with its first prompt. */
    atStart(host: HostKind): boolean
    decode(payload: unknown, meta: HookMeta): HookCall
    /** The CLI's own words for a reply; null says nothing at all. */
    encode(call: HookCall, reply: HookReply, version: string): unknown
    /** Whether the model is told why its input was rewritten, with that very answer. */
    tellsRewrite: boolean
    /** A call that a hook makes it ask about is run as the model made it, whatever the hook made of it. */
    asksOriginal?: true
    /** What it asks a permission for is the whole call as it will run, in its hook and its protocol alike. */
    asksWhole?: true
  }
  transcript: {
    format: TranscriptFormat
    /** Null while it cannot be known: then the CLI's own hooks or protocol tell. */
    locate(conversation: string, cwd: string, env: NodeJS.ProcessEnv): string | null
    /** False only if its CLI surely has none that it would take by this name; where nothing else says so before it has ended. */
    isKnown?(name: string, cwd: string, env: NodeJS.ProcessEnv, host: HostKind): boolean
    /** The conversations of sub-agents that were started from one, where they are kept beside it. */
    subagents?: { files(transcript: string): string[]; reader: () => (line: string) => ConversationEntry[] }
  }
  /** Null where a conversation that was cut does not go on exactly as it was; `reasons` says why. */
  cut: ConversationCut | null
  /** Null where a conversation cannot leave this machine yet. */
  carry: ConversationCarry | null
  /** What it is told to sum up its conversation and go on with that; null where it cannot be told. */
  compact: string | null
  /** Null where that was never tried. */
  offline: Offline | null
  shell: ShellTool
  /** What a tool call is about to do; no actions where it touches nothing that rules look at. */
  actions: (name: string, input: Record<string, unknown>) => ToolActions
  /** What each of its tools does; whoever asks about a tool asks here (`kindOf`), and keeps no list of names. */
  tools: ToolTable
  fileTools(version: string): FileTools
  /** A new session over the given standard input; the host feeds it with what comes out. */
  stream: (send: Send) => StreamSession
  terminal: Terminal
  wake(version: string): Wake
  /** What `rein setup` puts where this CLI reads it. */
  deployment(context: SetupContext): Deployment[]
  /** Why it does not read a file into which something was deployed, or not all of it; null: it does. */
  ignores?(path: string, env: NodeJS.ProcessEnv): string | null
  /** Starts it as its user would, without a terminal and without a prompt; absent where no hook is called before one. */
  launchByHand?(installed: Installed, cwd: string, env: Record<string, string>): LaunchPlan
  /** What the CLI itself wrote down about Rein's MCP server in a project; goes with that server. */
  leavings?(project: string): Deployment[]
  /** What only its user may do, as a command, beside what was deployed; null: nothing. */
  byHand?(context: SetupContext): string | null
}
