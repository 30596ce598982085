// Every subject, listed once. The feed, verify, and the site's lists, pages, icons and sitemap are read off these declarations.
import { blogPost } from './community/blog/subject.ts'
import { bug } from './community/bugs/subject.ts'
import { release } from './community/changelog/subject.ts'
import { feature } from './community/features/subject.ts'
import { org } from './community/orgs/subject.ts'
import { post } from './community/posts/subject.ts'
import type { ListedSubject, Subject } from './content/subject.ts'
import { item } from './library/items/subject.ts'

/** Subjects with lists of their own in the community. */
export const listedSubjects = [post, bug, feature, org, release] as const satisfies readonly ListedSubject[]

export const subjects = [...listedSubjects, item, blogPost] as const satisfies readonly Subject[]

/** The types of things that can be followed, as their subjects and the feed call them. */
export const followable = new Set<string>(
  subjects.flatMap((subject) => (subject.follow ? [subject.type, ...subject.kinds.map(({ kind }) => kind)] : [])),
)
