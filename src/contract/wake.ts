/**
 * How an idle agent is woken: by its protocol, by a process that listens, by a command of its CLI, by keys in its terminal
 * (`keys_instead`: only because its waiter is gone), or not at all.
 */
export const wakeWays = ['protocol', 'waiter', 'command', 'keys', 'keys_instead', 'none'] as const
export type WakeWay = (typeof wakeWays)[number]

/** The one sentence that starts a turn; what there is to say leaves in the reply to the prompt hook it causes. */
export const wakeSentence = 'Rein: there is something in your inbox; it is shown with this message.'

/** Said to one that has been idle for long, where that is wanted. */
export const pollSentence =
  'Rein: look around: read what is in your inbox (rein inbox), and go on with what you were doing if it is not done.'

/** How a prompt begins that explains everything to one that was woken in vain. */
export const recoveryOpening = 'Rein: you are the agent "'

/** Whether Rein itself began the turn: the same words again are no sign of an agent that goes in circles. A CLI may wrap them into words of its own. */
export const isOwnPrompt = (prompt: string): boolean =>
  [wakeSentence, pollSentence, recoveryOpening].some((own) => prompt.includes(own))
