import { z } from 'zod'
import type { ErrorBody } from './errors.ts'
import type { RouteName } from './routes/all.ts'
import type { WelcomeDevice } from './routes/web.ts'

const id = z.number().int().min(0)
/** Input and path parameters in one object, as a client call takes them. */
const input = z.record(z.string(), z.unknown()).default({})

/** The first frame of the client: the signature is over `signedText`, in the form of IEEE P1363, as base64url. */
export const HelloFrame = z.strictObject({
  hello: z.strictObject({ device: z.string().max(80), signature: z.string().max(200) }),
})

export type HelloFrame = z.infer<typeof HelloFrame>

/** Every later frame of the client. */
export const ClientFrame = z.union([
  /** Asks once, for one `result` or `error`. */
  z.strictObject({ id, call: z.string(), input }),
  /** Opens a stream: `line` after `line`, then `end` or `error`. */
  z.strictObject({ id, open: z.string(), input }),
  /** Lets so many more lines of a stream come. */
  z.strictObject({ id, credit: z.number().int().min(1).max(10_000) }),
  z.strictObject({ id, close: z.literal(true) }),
])

type Refusal = ErrorBody['error']

/** The page's side of a frame; `call` and `open` name a route. */
export type HelloOut = z.input<typeof HelloFrame>
export type ClientOut =
  | { id: number; call: RouteName; input: object }
  | { id: number; open: RouteName; input: object }
  | { id: number; credit: number }
  | { id: number; close: true }

/** Until the device is let in. */
type DoorFrame =
  | { challenge: string; daemon: { id: string; version: string; build: string } }
  | { welcome: { device: WelcomeDevice; now: number; version: string } }
  | { refused: Refusal }

/** After that: answers, each with the id of what it answers. */
export type AnswerFrame =
  | { id: number; result: unknown }
  | { id: number; line: unknown }
  | { id: number; end: true }
  | { id: number; error: Refusal }

export type ServerFrame = DoorFrame | AnswerFrame
