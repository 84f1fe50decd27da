import type { Agent } from '../../contract/agent.ts'
import type { Driver } from '../../drivers/contract.ts'

/** Where the CLI writes this conversation of an agent; null if that cannot be told yet. */
export const locateTranscript = (
  { conversation: known, transcript, cwd }: Agent,
  driver: Driver,
  env: NodeJS.ProcessEnv | null,
  conversation: string,
): string | null => {
  if (known === conversation && transcript !== null) return transcript
  if (env !== null) return driver.transcript.locate(conversation, cwd, env)
  // An agent that was taken over has no known environment: its old transcript is named after the old conversation.
  return transcript === null ? null : transcript.replaceAll(known ?? conversation, conversation)
}
