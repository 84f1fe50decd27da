import { StoryInput } from '../contract/routes/story.ts'
import { story } from './handlers/story.ts'
import { type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** Who did what, when and why. */
export const storyRoutes = (services: Services, on: On): void =>
  on('story', async (c, actor) => c.json(await story(services, actor, query(c, StoryInput))))
