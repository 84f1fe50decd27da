import { projectName } from '../../contract/handle.ts'
import type { RoomView } from '../../contract/routes/team.ts'
import { pathTo } from '../match-path.ts'
import { Ago } from '../parts/ago.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { shown } from '../parts/text.ts'
import { tellFailure } from '../parts/toast.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { hrefOf } from '../router.ts'
import { rooms, useRooms } from '../store/rooms.ts'

export const RoomsView = () => {
  useRooms(tellFailure)
  const all = rooms.value
  return (
    <Page title="Rooms">
      {all === null ? (
        <Waiting />
      ) : all.size === 0 ? (
        <Empty title="No projects yet.">Rooms appear here when a first agent was started.</Empty>
      ) : (
        [...all].map(([project, list]) => <ProjectRooms key={project} project={project} list={list} />)
      )}
    </Page>
  )
}

const ProjectRooms = ({ project, list }: { project: string; list: readonly RoomView[] }) => (
  <section class="project" aria-label={projectName(project)}>
    <div class="project-head">
      <h2>{projectName(project)}</h2>
      <a class="button" href={hrefOf(pathTo('bus', project))} aria-label={`Events of ${projectName(project)}`}>
        Events
      </a>
    </div>
    {list.length === 0 ? (
      <p class="soft">
        No rooms. Make one in its directory: <code>rein chat create build</code>
      </p>
    ) : (
      <ul class="rows">
        {list.map((room) => (
          <RoomRow key={room.name} room={room} />
        ))}
      </ul>
    )}
  </section>
)

const RoomRow = ({ room: { project, name, about, unread, mentions, lastAt, members } }: { room: RoomView }) => (
  <li>
    <a class="rows-row rows-link" href={hrefOf(pathTo('rooms', project, name))}>
      <span class="grow">
        <span class={unread > 0 ? 'room-name is-unread' : 'room-name'}>{name}</span>{' '}
        <span class="soft small">{shown(about)}</span>
      </span>
      {mentions > 0 ? <span class="count count-strong">{mentions} for you</span> : null}
      {unread > 0 ? <span class="count">{unread} unread</span> : null}
      <span class="soft small number">
        {members === 1 ? 'only you' : `${members} members`}
        {lastAt === null ? null : (
          <>
            {' '}
            · <Ago at={lastAt} /> ago
          </>
        )}
      </span>
    </a>
  </li>
)
