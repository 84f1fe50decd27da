import type { Question } from './agent.ts'

/** The name that a question has which only a login answers: from a dialog on the screen, or from an error of the protocol. */
const loginTool = 'login'

/** In a file of its own, without zod: the command line asks for each agent. */
export const isLoginQuestion = (question: Pick<Question, 'tool'> | null): boolean => question?.tool === loginTool

/** For a CLI that says so by an error; nothing can be answered. */
export const loginQuestion = (said: string): Question => ({
  id: loginTool,
  kind: 'question',
  tool: loginTool,
  input: {},
  summary: said.replaceAll(/\s+/g, ' ').trim().slice(0, 300),
  options: [],
})
