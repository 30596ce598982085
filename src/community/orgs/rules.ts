// What is derived from an org definition for the gallery's pages, beyond what formats/org.ts derives.

import type { OrgChart } from '../../contract/org-chart.ts'
import { itemDescription, itemName, UNTITLED_ORG } from '../../formats/item-text.ts'
import { cut } from '../../formats/text.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** What the feed shows below the title (behaviour.md, section 2). */
export const shownText = ({ tagline, goal }: { tagline: string | null; goal: string }): string => tagline ?? goal

/** What the feed calls it: as a library item would be called (formats/org.ts), since a name may be of any length. */
export const titleOf = ({ name }: { name: string }): string => itemName(name, UNTITLED_ORG)

/** The site has the page for uploading at /community/orgs/new: an org of that slug is found by its id. */
export const pathOf = ({ id, slug }: { id: string; slug: string }): string =>
  `/community/orgs/${slug === 'new' ? id : slug}`

/** What people read of the roles of a stored chart. */
export const saidInRoles = (chart: string): string[] =>
  parseJson<OrgChart>(chart).roles.flatMap(({ title, responsibilities }) => [title ?? '', ...responsibilities])

/** What a search looks through (behaviour.md, section 4). */
export const searchedTexts = (org: { name: string; goal: string; tagline: string | null; slug: string }) => [
  cut(org.name, 200),
  cut(org.goal, 2_000),
  org.tagline,
  org.slug,
]

/** What the library says of it: its own description, or else its goal, as an item's (formats.md, section 1). */
export const describedAs = ({ description, goal }: { description: string | null; goal: string }): string =>
  description ?? itemDescription(goal)
