import type { RouteName } from '../contract/routes.ts'
import type { Story, StoryRequest } from '../contract/routes/story.ts'

export interface StoryClient {
  /** Of a task, an agent or a session. */
  story(input: StoryRequest): Promise<Story>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createStoryClient = (ask: Ask): StoryClient => ({ story: (input) => ask('story', { input }) })
