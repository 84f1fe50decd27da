/** What was pressed once and ends something: it asks again in its own place. */
export interface Asking {
  key: string
  /** It has asked for long enough: a press now is meant for the question. */
  isReady: boolean
}

/** Then it has forgotten that it was pressed. */
export const asksForMs = 4_000

/** What a press does. A double click is one press. */
export const pressHard = (asking: Asking | null, key: string): 'ask' | 'wait' | 'do' => {
  if (asking?.key !== key) return 'ask'
  return asking.isReady ? 'do' : 'wait'
}
