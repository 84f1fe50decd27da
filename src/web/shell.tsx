import { computed, useSignal, useSignalEffect } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isPaletteOpen } from './keys.ts'
import { connection, link, me } from './link/api.ts'
import { pairing } from './link/pairing.ts'
import { failureText } from './parts/failure-text.ts'
import { Icon } from './parts/icon.tsx'
import { Empty, Page } from './parts/page.tsx'
import { attempt, Toasts } from './parts/toast.tsx'
import { hrefOf, route } from './router.ts'
import { navBadges } from './store/nav-badges.ts'
import { pageWatch } from './store/page-update.ts'
import { useQuestions } from './store/questions.ts'
import { PairingView } from './views/pairing.tsx'
import { type ViewProps, type ViewRow, views } from './views/index.ts'

const loaded = new Map<ViewRow, FunctionComponent<ViewProps>>()

/** The view of the route; the one before stays until the next is loaded, so nothing jumps. */
const View = () => {
  const ready = useSignal(0)
  const asked = route.value
  const shownRoute = useRef(asked)
  const main = useRef<HTMLElement>(null)
  useSignalEffect(() => {
    const { view } = route.value
    if (view === null || loaded.has(view)) return
    void attempt(async () => {
      loaded.set(view, await view.load())
      ready.value += 1
    })
  })
  const isReady = ready.value >= 0 && (asked.view === null || loaded.has(asked.view))
  if (isReady) shownRoute.current = asked
  const { view, params, query, path } = shownRoute.current
  const title = view?.title(params) ?? 'Not found'
  useEffect(() => {
    document.title = `${title} · Rein`
    // A view may have given the focus to what was asked for.
    if (main.current?.contains(document.activeElement) === false)
      main.current.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [title, path])
  const Component = view === null ? undefined : loaded.get(view)
  return (
    <main class="main" id="main" ref={main}>
      {view === null ? (
        <Page title="Not found">
          <Empty title="This page does not exist.">
            <a href={hrefOf('/')}>All agents</a>
          </Empty>
        </Page>
      ) : Component === undefined ? null : (
        <Component key={path.split('?')[0]} params={params} query={query} />
      )}
    </main>
  )
}

const Nav = () => (
  <nav class="nav" aria-label="Views">
    <span class="nav-mark" aria-hidden="true">
      rein
    </span>
    {views.map(({ path, title, nav }) => {
      if (nav === undefined) return null
      const count = navBadges.value[path] ?? 0
      return (
        <a
          key={path}
          class="nav-link"
          href={hrefOf(path)}
          aria-current={route.value.view?.path === path ? 'page' : undefined}
        >
          <Icon name={nav.icon} size={18} />
          <span class="nav-word">{title({})}</span>
          {count > 0 ? (
            <span class="nav-count">
              {count}
              <span class="sr-only"> waiting</span>
            </span>
          ) : null}
        </a>
      )
    })}
    <button type="button" class="nav-link nav-find" onClick={() => (isPaletteOpen.value = true)}>
      <Icon name="search" size={18} />
      <span class="nav-word">Find</span>
      <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
    <Connection />
  </nav>
)

const connectionWords = {
  connecting: 'connecting',
  open: 'connected',
  offline: 'no connection',
  refused: 'refused',
  unpaired: 'not paired',
  keyless: 'no key',
} as const

const Connection = () => (
  <span
    class={`connection connection-${connection.value}`}
    role="status"
    title={link.refusal.value?.message ?? link.daemon.value?.version ?? ''}
  >
    <span class="badge-dot" aria-hidden="true" />
    <span class="nav-word">{connectionWords[connection.value]}</span>
  </span>
)

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Loaded when it is opened first. */
const LazyPalette = () => {
  const palette = useSignal<FunctionComponent<{ onClose: () => void }> | null>(null)
  useSignalEffect(() => {
    if (!isPaletteOpen.value || palette.peek() !== null) return
    void attempt(async () => {
      palette.value = (await import('./parts/palette.tsx')).Palette
    })
  })
  const Palette = palette.value
  return isPaletteOpen.value && Palette !== null ? <Palette onClose={() => (isPaletteOpen.value = false)} /> : null
}

/** What is shown stays where only a new connection fails. */
const isShutOut = computed(
  () =>
    connection.value === 'unpaired' ||
    connection.value === 'refused' ||
    (connection.value === 'keyless' && me.value === null),
)

/** What is wrong with the page as a whole. The region is there before its text: a text that comes with its region is not read out. */
const Alerts = () => {
  const isKeyless = connection.value === 'keyless' && !isShutOut.value
  const refusal = link.refusal.value
  return (
    <div class="alerts" role="status">
      {isKeyless && refusal !== null ? <div class="alert">{failureText(refusal)}</div> : null}
      {pageWatch.isOutdated.value ? (
        <div class="alert">
          Rein was updated, this page was not.
          <button type="button" class="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      ) : null}
    </div>
  )
}

export const Shell = () => {
  useQuestions()
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Nav />
      {isShutOut.value || pairing.value.step === 'pairing' ? (
        <main class="main" id="main">
          <PairingView />
        </main>
      ) : (
        <View />
      )}
      <LazyPalette />
      <Alerts />
      <Toasts />
    </div>
  )
}

/** The hash is the route: a jump inside the page must not change it. */
const skipToMain = (event: Event): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main h1')?.focus()
}
