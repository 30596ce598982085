// The trackers that an import can come from, each loaded when it is used: none of them is part of a start.
import type { SourceName } from '../../contract/import-sources.ts'
import type { ReadSource } from './record.ts'

interface Source {
  read: ReadSource
  /** What files it takes, in words for the help. */
  files: string
}

const lazily = (load: () => Promise<{ read: ReadSource }>): ReadSource =>
  async function* (files, options) {
    const { read } = await load()
    yield* read(files, options)
  }

export const sources: Readonly<Record<SourceName, Source>> = {
  guildhall: {
    read: lazily(() => import('./guildhall.ts')),
    files: 'records.jsonl of the archive of another Guildhall',
  },
  github: {
    read: lazily(() => import('./github.ts')),
    files:
      'what `gh api --paginate` prints for /repos/OWNER/NAME/issues?state=all, /issues/comments, /labels, /milestones and /issues/N/reactions ' +
      '(in a file named by N), answers of the GraphQL API, or what `gh issue list --json` prints',
  },
  gitlab: {
    read: lazily(() => import('./gitlab.ts')),
    files:
      'a project export (.tar.gz, or its tree/project: issues, labels, milestones, project_members, and uploads), or answers of its API: issues, ' +
      'notes, discussions, award emoji',
  },
  discourse: {
    read: lazily(() => import('./discourse.ts')),
    files:
      'answers of its API: /t/ID.json?print=true&include_raw=1 for each topic, /posts.json, /site.json or /categories.json, users',
  },
  canny: {
    read: lazily(() => import('./canny.ts')),
    files: 'answers of its API: posts/list, comments/list, votes/list, status_changes/list, users/list, tags/list',
  },
  fider: {
    read: lazily(() => import('./fider.ts')),
    files:
      'a backup (.zip, or its posts, comments, post_votes, post_tags, tags, users, attachments and blobs), or answers of its API: posts, and comments and ' +
      'votes in files named by the number of their post',
  },
  uservoice: {
    read: lazily(() => import('./uservoice.ts')),
    files:
      'exports of suggestions in CSV, or answers of its Admin API: suggestions, comments, supporters, status updates, with what they include',
  },
  lemmy: {
    read: lazily(() => import('./lemmy.ts')),
    files: 'answers of its API: /post/list, /comment/list, /post, /comment',
  },
  csv: {
    read: lazily(() => import('./csv.ts')),
    files:
      'a table in CSV with a row for each thing and a first row that names the columns; without a mapping, the columns are guessed by their names',
  },
}
