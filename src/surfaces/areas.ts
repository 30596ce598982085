// Which area speaks for a path that leads to no operation: unknown, or refused before it is looked at.
import { areas, defaultArea } from '../api.ts'
import type { Area } from '../contract/operation.ts'

/** The area that renders errors of a path; undefined for pages. */
export const areaOrPage = (path: string): Area | undefined => areas.find(({ paths }) => paths.test(path))

/** The area of a path below /api. */
export const areaOf = (path: string): Area => areaOrPage(path) ?? defaultArea
