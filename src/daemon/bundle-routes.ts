import { ExportInput, ImportInput, InspectInput } from '../contract/routes/bundles.ts'
import { exportSession } from './handlers/bundle-export.ts'
import { importSession, inspectBundle } from './handlers/bundle-import.ts'
import { body, type Lines, type On } from './requests.ts'
import type { Services } from './services.ts'

/** Sessions that leave in a file, and that come in one. */
export const bundleRoutes = (services: Services, on: On, lines: Lines): void => {
  on('exportSession', async (c) => {
    const input = await body(c, ExportInput)
    return lines(c, () => exportSession(services, input))
  })
  on('importSession', async (c) => {
    const input = await body(c, ImportInput)
    return lines(c, () => importSession(services, input))
  })
  on('inspectBundle', async (c) => {
    const input = await body(c, InspectInput)
    return lines(c, () => inspectBundle(services, input))
  })
}
