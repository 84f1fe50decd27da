import { useEffect, useReducer, useState } from 'preact/hooks'
import { isOpen } from '../link/api.ts'

interface Answered<T> {
  /** Null before the first answer. */
  value: T | null
  /** Why the last try failed. */
  error: Error | null
  again: () => void
}

interface Options {
  /** Asks again after so long, while somebody looks. */
  everyMs?: number
}

/** What a request answers: asked when it is shown, when its key changes and after each break; the last answer stays meanwhile. */
export const useAnswer = <T>(key: string, ask: () => Promise<T>, { everyMs }: Options = {}): Answered<T> => {
  const [last, setLast] = useState<{ key: string; value: T | null; error: Error | null }>({
    key,
    value: null,
    error: null,
  })
  const [round, again] = useReducer((count: number) => count + 1, 0)
  const isConnected = isOpen.value
  useEffect(() => {
    if (!isConnected) return undefined
    let isWanted = true
    const read = async (): Promise<void> => {
      try {
        const value = await ask()
        if (isWanted) setLast({ key, value, error: null })
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause))
        if (isWanted) setLast((before) => ({ key, value: before.key === key ? before.value : null, error }))
      }
    }
    void read()
    return () => {
      isWanted = false
    }
  }, [key, round, isConnected])
  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again(0)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  const isCurrent = last.key === key
  return { value: isCurrent ? last.value : null, error: isCurrent ? last.error : null, again: () => again(0) }
}
