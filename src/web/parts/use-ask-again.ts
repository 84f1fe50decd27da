import { useEffect, useState } from 'preact/hooks'
import { armsAfterMs } from '../store/arming.ts'
import { type Asking, asksForMs, pressHard } from '../store/ask-again.ts'

interface AskAgain {
  asking: Asking | null
  /** True: it is to be done. False: it asks now, or has not asked for long enough. */
  press: (key: string) => boolean
  forget: () => void
}

/** For what ends something: a first press asks, a second one does it. */
export const useAskAgain = (): AskAgain => {
  const [asking, setAsking] = useState<Asking | null>(null)
  const forget = (): void => setAsking(null)
  useEffect(() => {
    if (asking === null) return undefined
    const timer = asking.isReady
      ? setTimeout(forget, asksForMs)
      : setTimeout(() => setAsking({ ...asking, isReady: true }), armsAfterMs)
    return () => clearTimeout(timer)
  }, [asking])
  const press = (key: string): boolean => {
    const step = pressHard(asking, key)
    if (step === 'ask') setAsking({ key, isReady: false })
    if (step === 'do') forget()
    return step === 'do'
  }
  return { asking, press, forget }
}
