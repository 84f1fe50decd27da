import { signal } from '@preact/signals'
import { useEffect, useReducer, useRef } from 'preact/hooks'
import { armFor, type Arming, armsInMs } from '../store/arming.ts'

/** What came while nobody was looking was not seen. */
const visits = signal(0)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') visits.value += 1
})

/** Whether a button may count: its text has stood there, unchanged and to be seen, for long enough. */
export const useArmed = (shown: string): boolean => {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const arming = useRef<Arming | null>(null)
  const all = `${visits.value} ${shown}`
  arming.current = armFor(arming.current, all, performance.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      const leftMs = arming.current === null ? 0 : armsInMs(arming.current, performance.now())
      if (leftMs > 0) timer = setTimeout(wait, Math.ceil(leftMs))
      else redraw(0)
    }
    wait()
    return () => clearTimeout(timer)
  }, [all])
  return armsInMs(arming.current, performance.now()) === 0
}
