// The server's subjects (src/subjects.ts) as pages need them: by the folder of their addresses, with the options of their fields.

import { facetsOf, isOneOf, type ListedSubject, type SubjectPages } from '../../../src/content/subject.ts'
import { limitsOf } from '../../../src/contract/limits.ts'
import type { Role } from '../../../src/contract/operation.ts'
import { listedSubjects } from '../../../src/subjects.ts'
import { type SiteWords, wordOf } from './language/catalogue.ts'
import type { IconName } from './ui/icons.ts'
import { choices, type State } from './ui/states.ts'

const COMMUNITY = '/community/'

/** The folder of a subject below /community, in the API and the site. */
export const folderOf = ({ path }: Pick<ListedSubject, 'path'>): string => path.slice(COMMUNITY.length)

/** The kinds whose pages are made from their declaration: the catalogue has their words (`kinds`). */
export type PagedKind = Exclude<(typeof listedSubjects)[number]['type'], 'org'>

type PagedSubject = ListedSubject & { pages: SubjectPages; type: PagedKind }

export const listed: readonly ListedSubject[] = listedSubjects

/** The lists of the community, as the navigation shows them. */
export const sectionsOf = (t: SiteWords) =>
  listedSubjects.map(({ path, type, kinds: [kind] }) => ({
    href: path,
    label: t(`kinds.${type}.section`),
    icon: kind?.icon as IconName,
  }))

/** Subjects whose pages are made from their declaration, as far as the site has no page of its own for one. */
export const pagedSubjects = listed.filter((subject): subject is PagedSubject => subject.pages !== undefined)

const byFolder = new Map(pagedSubjects.map((subject) => [folderOf(subject), subject]))

/** The folder that a URL segment names. */
export const oneOf = (segment: string): string | undefined => (byFolder.has(segment) ? segment : undefined)

/** The subject of a page's address. */
export function subjectAt(folder = ''): PagedSubject {
  const subject = byFolder.get(folder)
  if (!subject) throw new Error(`There is no subject ${folder}`)
  return subject
}

/** Whether a reader may write new things of a subject; an anonymous user may sign in first. */
export const mayWrite = (
  { writers }: Pick<ListedSubject, 'writers'>,
  reader?: { id: string; role: Role } | null,
): boolean => !writers || (reader != null && isOneOf(writers, reader))

/** What a list is filtered by: a name, its words and its values. */
export const filtersOf = (t: SiteWords, subject: ListedSubject) =>
  facetsOf(subject).map((name) => ({
    name,
    label: wordOf(t, `kinds.filter.${name}`) ?? name,
    options: choicesOf(t, subject, name) ?? [],
  }))

const valuesOf = ({ record }: ListedSubject, name: string): State[] | undefined =>
  Reflect.get(record.shape, name).options

const choicesOf = (t: SiteWords, subject: ListedSubject, name: string) => {
  const values = valuesOf(subject, name)
  return values && choices(t, values)
}

/** The form for a new thing, with the limits and the choices of its record. */
export const formOf = (t: SiteWords, subject: PagedSubject) =>
  subject.pages.fields.map(({ name, markdown, type, initial }) => ({
    ...{ name, markdown, type, initial },
    label: wordOf(t, `kinds.${subject.type}.field.${name}`) ?? name,
    help: wordOf(t, `kinds.${subject.type}.field.${name}.help`),
    ...limitsOf(Reflect.get(subject.record.shape, name)),
    options: choicesOf(t, subject, name),
  }))

/** The words of the pages that are made from a declaration. */
export const pageWords = (t: SiteWords, { type }: Pick<PagedSubject, 'type'>) => ({
  title: t(`kinds.${type}.title`),
  description: t(`kinds.${type}.description`),
  about: t(`kinds.${type}.about`),
  hint: t(`kinds.${type}.hint`),
  create: t(`kinds.${type}.create`),
  submit: t(`kinds.${type}.submit`),
  /** The title of the form that sets what moderators decide. */
  decide: wordOf(t, `kinds.${type}.decide`),
  draft:
    type === 'release' ? { save: t('kinds.release.saveDraft'), publish: t('kinds.release.publishDraft') } : undefined,
})

/** The text of a thing; whole, where it is longer than its field. */
export const wholeText = <Thing extends object>(
  subject: { text(thing: Thing): { text: string } },
  thing: Thing,
): string => ('fullText' in thing && typeof thing.fullText === 'string' ? thing.fullText : subject.text(thing).text)
