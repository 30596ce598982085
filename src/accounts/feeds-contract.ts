// The addresses of feeds and skills with a key, for programs that cannot sign in. Needed where an instance is private, and for private skills.
import { z } from 'zod'
import { Timestamp, textLike } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedIn } from '../identity/area.ts'
import { feedKeyActions } from '../identity/audit-actions.ts'

const KEY = 'gfeed_0000000000000000000000000000000000000000000'

const Feed = z
  .object({
    name: textLike('community').meta({
      description:
        'What is in it: community, search, library, changelog or blog; roadmap calendar and releases calendar are calendars',
    }),
    url: textLike(`https://guild.example/feed.atom?key=${KEY}`),
  })
  .meta({ id: 'FeedAddress' })

const Skills = z
  .object({ url: textLike('https://guild.example/skills/gskill_0000000000000000000000000000000000000000000') })
  .meta({ id: 'SkillsAddress' })

export const feeds = {
  show: {
    summary: 'When the key of my feeds was made',
    description:
      'Any Atom feed and calendar of the site takes the key as `key` in its query. The key itself is never shown again.',
    method: 'GET',
    path: '/account/feeds',
    access: signedIn,
    input: z.object({}),
    output: z.object({ createdAt: Timestamp.nullable().meta({ description: 'null where there is none' }) }),
  },
  renew: {
    summary: 'Make a key of my feeds, or renew it',
    description:
      'The key is in this response alone. It ends the one before at once, opens feeds alone, and reads what every reader may read, and the boards that I read. The address of skills reads the library as I do, private items among it: `npx skills add` takes it, and addresses below it. It is renewed and ended with the key.',
    method: 'POST',
    kind: 'account',
    path: '/account/feeds',
    access: signedIn,
    status: 201,
    shownOnce: true,
    audit: [feedKeyActions.renew],
    input: z.object({}),
    output: z.object({ createdAt: Timestamp, key: textLike(KEY), feeds: z.array(Feed), skills: Skills }),
    problems: ['rate_limited'],
  },
  end: {
    summary: 'End the key of my feeds',
    method: 'DELETE',
    kind: 'account',
    path: '/account/feeds',
    access: signedIn,
    audit: [feedKeyActions.end],
    input: z.object({}),
    output: z.object({ ended: z.boolean().meta({ description: 'Whether there was one' }) }),
  },
} satisfies Contract
