import type {
  ExportedView,
  ExportRequest,
  ImportedView,
  ImportRequest,
  InspectedView,
  InspectRequest,
} from '../contract/routes/bundles.ts'
import type { ProgressLine } from '../contract/routes/sessions.ts'
import type { RouteName } from '../contract/routes.ts'
import { type OnProgress, resultOf } from './session.ts'

/** Sessions that leave in a file, and that come in one. */
export interface BundleClient {
  exportSession(input: ExportRequest, onProgress?: OnProgress): Promise<ExportedView>
  importSession(input: ImportRequest, onProgress?: OnProgress): Promise<ImportedView>
  /** Everything is looked at, as for an import, and nothing is kept. */
  inspectBundle(input: InspectRequest, onProgress?: OnProgress): Promise<InspectedView>
}

type Listen = <T>(route: RouteName, call: { input: object }) => AsyncGenerator<T>

export const createBundleClient = (listen: Listen): BundleClient => {
  const finish = <T>(route: RouteName, input: object, onProgress?: OnProgress): Promise<T> =>
    resultOf(listen<ProgressLine<T>>(route, { input }), onProgress)
  return {
    exportSession: (input, onProgress) => finish('exportSession', input, onProgress),
    importSession: (input, onProgress) => finish('importSession', input, onProgress),
    inspectBundle: (input, onProgress) => finish('inspectBundle', input, onProgress),
  }
}
