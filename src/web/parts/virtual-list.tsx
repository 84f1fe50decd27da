import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { RowLayout } from './row-layout.ts'

interface VirtualListProps<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  render: (item: T) => ComponentChildren
  /** What the list is, for screen readers. */
  label: string
  /** Height of a row that was never shown. */
  estimate?: number
  /** Stays at the end while rows are added, until the reader scrolls up. */
  isSticky?: boolean
  /** The reader is near the first row: older ones may be fetched. */
  onNearStart?: () => void
  /** Shown this row; a new object scrolls again. */
  target?: { key: string } | undefined
}

const overscan = 800
const nearPx = 1_500
const endSlackPx = 24

/** Rows near the window are in the document, all others are space. What the reader looks at stays where it is. */
export const VirtualList = <T,>(props: VirtualListProps<T>) => {
  const { items, keyOf, render, label, estimate = 80, isSticky = false, onNearStart, target } = props
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const scroller = useRef<HTMLDivElement>(null)
  const layout = useMemo(() => new RowLayout(estimate), [])
  const keys = useMemo(() => items.map(keyOf), [items])
  layout.setKeys(keys)
  /** The row at the top edge and how far it is scrolled out; null: at the end. */
  const anchor = useRef<{ key: string; offset: number } | null>(isSticky ? null : { key: keys[0] ?? '', offset: 0 })
  const view = useRef({ top: 0, height: 0 })
  const rows = useRowHeights((key, height) => layout.setHeight(key, height), redraw)

  const readScroll = (): void => {
    const element = scroller.current
    if (element === null) return
    view.current = { top: element.scrollTop, height: element.clientHeight }
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - endSlackPx
    const index = layout.indexAt(element.scrollTop)
    const key = keys[index]
    anchor.current =
      (isSticky && isAtEnd) || key === undefined ? null : { key, offset: element.scrollTop - layout.topOf(index) }
    if (element.scrollTop < nearPx) onNearStart?.()
    redraw(0)
  }

  useLayoutEffect(() => {
    const element = scroller.current
    const index = target === undefined ? undefined : layout.indexOf(target.key)
    if (element === null || index === undefined || target === undefined) return
    anchor.current = { key: target.key, offset: -element.clientHeight / 4 }
    redraw(0)
  }, [target])

  // After each change of rows or heights: the row of the anchor is put back where it was.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const index = anchor.current === null ? undefined : layout.indexOf(anchor.current.key)
    const top =
      anchor.current === null || index === undefined
        ? isSticky
          ? layout.height
          : element.scrollTop
        : layout.topOf(index) + anchor.current.offset
    const before = element.scrollTop
    if (Math.abs(before - top) > 0.5) element.scrollTop = top
    const isNews = element.scrollTop !== view.current.top || element.clientHeight !== view.current.height
    view.current = { top: element.scrollTop, height: element.clientHeight }
    if (isNews) redraw(0)
  })

  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => redraw(0))
    observer.observe(element)
    if (keys.length > 0 && layout.height < nearPx) onNearStart?.()
    return () => observer.disconnect()
  }, [])

  const first = layout.indexAt(view.current.top - overscan)
  const last = layout.indexAt(view.current.top + view.current.height + overscan)
  const drawn = items.slice(first, last + 1)
  return (
    <div class="list" ref={scroller} onScroll={readScroll} role="feed" aria-label={label} tabIndex={0}>
      <div class="list-space" style={{ height: `${layout.height}px` }}>
        <div class="list-rows" style={{ transform: `translateY(${layout.topOf(first)}px)` }}>
          {drawn.map((item, at) => {
            const key = keys[first + at] ?? ''
            return (
              <div
                key={key}
                class="list-row"
                data-key={key}
                ref={rows}
                role="article"
                aria-posinset={first + at + 1}
                aria-setsize={items.length}
              >
                {render(item)}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** A ref for rows: tells the height of each as it is drawn, and whenever it changes. */
const useRowHeights = (onHeight: (key: string, height: number) => boolean, redraw: (action: number) => void) => {
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const news = entries.filter(
          ({ target, borderBoxSize }) =>
            target.isConnected &&
            target instanceof HTMLElement &&
            onHeight(target.dataset['key'] ?? '', borderBoxSize[0]?.blockSize ?? target.offsetHeight),
        )
        if (news.length > 0) redraw(0)
      }),
    [],
  )
  useEffect(() => () => observer.disconnect(), [])
  return useMemo(
    () => (element: HTMLElement | null) => {
      if (element === null) return
      onHeight(element.dataset['key'] ?? '', element.offsetHeight)
      observer.observe(element)
    },
    [],
  )
}
