import { useEffect, useMemo } from 'preact/hooks'

/** A ref for the end of a row: tells its key when it is on the screen of a page that is looked at. */
export const useSeen = (onSeen: (key: number) => void): ((element: HTMLElement | null) => void) => {
  const watch = useMemo(() => {
    const visible = new Set<Element>()
    const tell = (): void => {
      if (document.visibilityState !== 'visible') return
      for (const element of visible)
        if (element instanceof HTMLElement && element.isConnected) onSeen(Number(element.dataset['seen']))
      visible.clear()
    }
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) visible.add(target)
        else visible.delete(target)
      tell()
    })
    return { observer, tell }
  }, [])
  useEffect(() => {
    document.addEventListener('visibilitychange', watch.tell)
    return () => {
      document.removeEventListener('visibilitychange', watch.tell)
      watch.observer.disconnect()
    }
  }, [])
  return useMemo(() => (element) => element !== null && watch.observer.observe(element), [])
}
