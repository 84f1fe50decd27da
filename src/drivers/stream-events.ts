import { loginQuestion } from '../contract/login-question.ts'

export const activity = { kind: 'activity' } as const

/** The state that a line of a headless CLI proves. */
export const streamState = (state: 'working' | 'idle' | 'limited', detail: string) => ({
  kind: 'state' as const,
  state,
  evidence: { source: 'stream' as const, detail },
  question: null,
})

/** What CLIs and their servers say in an error when nobody is logged in. */
const loggedOutWords =
  /not logged in|run \/login|log ?in (again|required|first)|invalid (x-)?api[- ]key|api key (is )?(missing|not|required|invalid)|missing api key|authentication (required|failed|error)|unauthori[sz]ed|not authenticated|\b401\b/i

/** Never asked about what a model has said. */
export const saysLoggedOut = (error: string): boolean => loggedOutWords.test(error)

/** Null unless the error of a CLI says that it is not logged in. */
export const loggedOutState = (error: string) =>
  saysLoggedOut(error)
    ? {
        kind: 'state' as const,
        state: 'awaiting_answer' as const,
        evidence: { source: 'stream' as const, detail: error },
        question: loginQuestion(error),
      }
    : null
