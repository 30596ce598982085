import { error } from '@sveltejs/kit'
import { renderMarkdown } from '#lib/server/markdown.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = ({ platform }) => {
  if (!platform?.development) error(404, 'Page not found')
  const now = Date.now()
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString()
  const prose = renderMarkdown(SAMPLE)
  const said = {
    authorUsername: 'alice',
    via: { clientId: 'agent', name: 'Night Clerk', verified: false },
    createdAt: ago(7000),
    html: renderMarkdown('It came **again** today, with `code`.'),
    ...{
      body: '',
      parentId: null,
      replyCount: 0,
      myReactions: [],
      replies: [],
      editedAt: null,
      can: { edit: false, delete: false },
    },
    reactions: { heart: 2, eyes: 1 },
  }
  const onePage = {
    page: 0,
    pages: 1,
    hasMore: false,
    of: undefined,
    apart: undefined,
    replyTo: undefined,
    draft: '',
    editing: undefined,
    texts: [],
    sort: 'oldest' as const,
  }
  return {
    prose,
    times: [5, 130, 7000, 400_000, 5_000_000, -7000].map(ago),
    thread: {
      items: [
        {
          ...said,
          id: 'c1',
          authorId: 'another',
          replyCount: 1,
          replies: [{ ...said, id: 'c3', authorId: 'another' }],
        },
        { ...said, id: 'c2', authorId: 'deleted', authorUsername: null, createdAt: ago(60) },
      ],
      ...onePage,
    },
    entry: { id: 'none', url: '/community', authorUsername: 'alice', createdAt: ago(7000), myVote: 0, commentCount: 3 },
  }
}

/** Refuses every form, to show the error state. */
export const actions: Actions = {
  refuse: async () => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    error(400, 'This form is a sample')
  },
}

const SAMPLE = `## A heading

A paragraph with **bold**, *emphasis*, a [link](/community), and \`code\`. Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller.

- a list
- of two

1. first
2. second

> A quote.

### A smaller heading

    some code that is wider than a phone is, so that it has to be scrolled by anyone who reads it there, or else

| a table | with numbers |
| --- | --- |
| one | 1 |
`
