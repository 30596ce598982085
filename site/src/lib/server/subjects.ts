// Calls of the API for any listed subject.
import { folderOf } from '#lib/subjects.ts'
import type { ListedSubject } from '../../../../src/content/subject.ts'

/** Every listed subject has the operations of bugs that are made from declarations; fields differ. */
export const callsOf = (api: App.Locals['api'], subject: Pick<ListedSubject, 'path'>) =>
  api[folderOf(subject) as 'bugs']
