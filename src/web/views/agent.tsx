import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Question } from '../../contract/agent.ts'
import { projectName } from '../../contract/handle.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import type { AgentView as Agent } from '../../contract/routes/agents.ts'
import { isOpen, may, now } from '../link/api.ts'
import { questionPath } from '../match-path.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Branch } from '../parts/branch.tsx'
import { costText, evidenceText, shortCount, troublesOf } from '../parts/facts.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { oneLine, shown } from '../parts/text.ts'
import { tellFailure } from '../parts/toast.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { hrefOf } from '../router.ts'
import { actionsOf } from '../store/actions.ts'
import { agents, findAgent, useAgents } from '../store/agents.ts'
import { emptyView } from '../store/feed.ts'
import { type Item, listItems } from '../store/items.ts'
import { openFeed } from '../store/open-feed.ts'
import { findReceiptNews, type KnownStates } from '../store/receipt-news.ts'
import { nameOf, type Target } from '../store/target.ts'
import { outbox } from '../store/tell.ts'
import { ItemView } from './agent-items.tsx'
import { AllowedCalls } from './allow-always.tsx'
import type { ViewProps } from './index.ts'
import { TellBox } from './tell-box.tsx'

const keyOf = ({ key }: Item): string => key

export const AgentView = ({ params: { project = '', handle = '' } }: ViewProps) => {
  useAgents()
  const agent = findAgent(project, handle)
  return (
    <Page
      title={handle}
      note={agent === undefined ? projectName(project) : <Facts agent={agent} />}
      up="/"
      isFilling
      actions={
        agent === undefined
          ? undefined
          : actionsOf(agent).map((action) => <ActionButton key={action.name} action={action} isSmall />)
      }
    >
      {agents.value !== null && agent === undefined ? (
        <Empty title={`There is no agent ${shown(handle)} in ${shown(projectName(project))}.`}>
          <a href={hrefOf('/')}>All agents</a>
        </Empty>
      ) : (
        <div class="talk">
          {agent === undefined ? null : <Troubles agent={agent} />}
          {agent === undefined ? null : <AllowedCalls agent={agent} />}
          <Conversation project={project} handle={handle} />
          {agent?.question == null ? null : <Asks question={agent.question} />}
          {may('tell') ? (
            <TellBox project={project} handle={handle} />
          ) : isOpen.value ? (
            <p class="talk-note soft small">This device may read, and not tell agents anything.</p>
          ) : null}
        </div>
      )}
    </Page>
  )
}

/** The most important on one line; all of it, with names, behind a click. */
const Facts = ({ agent }: { agent: Agent }) => {
  const { driver, version, detail, cwd, evidence, branch, state, question, project } = agent
  const context =
    detail?.percent == null
      ? ''
      : `${Math.round(detail.percent)} %${detail.window === null ? '' : ` of ${shortCount(detail.window)}`}`
  const facts: readonly [name: string, value: string][] = [
    ['Directory', cwd],
    ['Branch', branch ?? ''],
    ['CLI', `${driver} ${version}`],
    ['Model', detail?.usage?.model ?? ''],
    ['Context', context],
    ['Cost', costText(detail?.usage)],
    ['State known', evidenceText(evidence)],
  ]
  return (
    <details class="facts">
      <summary>
        <span class="page-note">
          <StateBadge state={state} {...(isLoginQuestion(question) ? { words: 'not logged in' } : {})} />{' '}
          {projectName(project)} <Branch name={branch} />
          {context === '' ? '' : ` · context ${context}`} · {driver} {version}
        </span>
        <Icon name="down" size={12} />
      </summary>
      <dl>
        {facts.map(([name, value]) =>
          value === '' ? null : (
            <div key={name}>
              <dt class="faint">{name}</dt>
              <dd>{shown(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </details>
  )
}

const Troubles = ({ agent }: { agent: Agent }) => (
  <>
    {troublesOf(agent, now()).map((trouble) => (
      <p key={trouble} class="notice notice-warn talk-note" role="status">
        {shown(trouble)}
      </p>
    ))}
  </>
)

const Asks = ({ question }: { question: Question }) => (
  <a class="talk-asks" href={hrefOf(questionPath(question.id))}>
    <span class="cut grow">
      <strong>Asks:</strong> {oneLine(question.summary, 300)}
    </span>
    <span class="button">Answer</span>
  </a>
)

const Conversation = ({ project, handle }: Target) => {
  const feed = useMemo(() => openFeed({ project, handle }), [project, handle])
  useEffect(() => feed.close, [feed])
  const items = useComputed(() => {
    const waiting = outbox.waiting.value.filter((each) => each.project === project && each.handle === handle)
    const told = [...outbox.told.value.values()].filter((each) => each.project === project && each.handle === handle)
    // What waits is there without a connection, too.
    const view = feed.view.value ?? (waiting.length === 0 ? null : emptyView)
    return view === null ? null : listItems(view, { waiting, told, live: feed.live.value })
  }).value
  if (items === null) return <div class="list" role="status" aria-busy="true" aria-label="Loading the conversation" />
  const loadOlder = (): void => {
    feed.loadOlder().catch(tellFailure)
  }
  return (
    <>
      {items.length === 0 ? (
        <div class="list">
          <Empty title="Nothing was said yet." />
        </div>
      ) : (
        <VirtualList
          items={items}
          keyOf={keyOf}
          label={`Conversation with ${handle}`}
          estimate={72}
          isSticky
          onNearStart={loadOlder}
          render={(item) => <ItemView item={item} view={feed.view.value} />}
        />
      )}
      <ReceiptNews items={items} name={nameOf({ project, handle })} />
    </>
  )
}

/** Tells screen readers each step of what was told, and nothing of what was there before. */
const ReceiptNews = ({ items, name }: { items: readonly Item[]; name: string }) => {
  const news = useSignal('')
  const known = useMemo((): { states: KnownStates } => ({ states: new Map() }), [name])
  useEffect(() => {
    const found = findReceiptNews(known.states, items)
    known.states = found.known
    if (found.news.length > 0)
      news.value = found.news.map(({ text, state }) => `“${oneLine(text, 40)}” is ${state}`).join('. ')
  }, [items])
  return (
    <div class="sr-only" aria-live="polite" role="status">
      {news.value}
    </div>
  )
}
