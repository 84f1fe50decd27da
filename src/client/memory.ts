import type {
  AdviceLogRequest,
  AdviceView,
  DiagnoseRequest,
  DiagnosisView,
  ForgetRequest,
  Forgotten,
  HistoryRequest,
  HistoryView,
  Ingested,
  IngestRequest,
  ProjectRequest,
  ProjectView,
  ShellSessionRequest,
  ShellSessionView,
  StatsRequest,
  StatsView,
  SuggestionView,
  SuggestRequest,
} from '../contract/routes/memory.ts'
import type { RouteName } from '../contract/routes.ts'

/** What was run in a project, and what is learnt from it. */
export interface MemoryClient {
  /** Commands that were run; those that are known by their id are not counted again. */
  ingest(input: IngestRequest): Promise<Ingested>
  shellSession(input: ShellSessionRequest): Promise<ShellSessionView>
  /** Likeliest first. */
  suggest(input: SuggestRequest): Promise<SuggestionView[]>
  /** Newest first. */
  history(input: HistoryRequest): Promise<HistoryView[]>
  /** Without a command: the last one that failed here. */
  diagnose(input: DiagnoseRequest): Promise<DiagnosisView>
  projectCommands(input: ProjectRequest): Promise<ProjectView>
  forget(input: ForgetRequest): Promise<Forgotten>
  memoryStats(input: StatsRequest): Promise<StatsView>
  /** Decisions to say something to an agent, or nothing. */
  adviceLog(input: AdviceLogRequest): Promise<AdviceView[]>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createMemoryClient = (ask: Ask): MemoryClient => ({
  ingest: (input) => ask('ingest', { input }),
  shellSession: (input) => ask('shellSession', { input }),
  suggest: (input) => ask('suggest', { input }),
  history: (input) => ask('history', { input }),
  diagnose: (input) => ask('diagnose', { input }),
  projectCommands: (input) => ask('projectCommands', { input }),
  forget: (input) => ask('forget', { input }),
  memoryStats: (input) => ask('memoryStats', { input }),
  adviceLog: (input) => ask('adviceLog', { input }),
})
