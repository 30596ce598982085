// The pages of the site by name, for whom they are. `furnish` of instance.ts adds those of things.
import { globSync } from 'node:fs'

const ROUTES = 'site/src/routes'
/** Every page as a route: `/community/boards/[slug]`. */
export const routes: readonly string[] = globSync(`${ROUTES}/**/+page.svelte`)
  .map((file) => file.slice(ROUTES.length, -'/+page.svelte'.length) || '/')
  .toSorted()

/** Pages by name, for whom they are; filled in when the instance is. */
type Pages = Record<string, string>
export const forAnybody: Pages = {
  home: '/',
  feed: '/community',
  popular: '/community?sort=popular&page=1',
  'feed-of-one-kind': '/community?type=bug',
  'feed-past-its-end': '/community?type=automation&page=9',
  bugs: '/community/bugs',
  'bugs-none': '/community/bugs?q=nothing+has+these+words',
  'bugs-of-several': '/community/bugs?status=open,in_progress&severity=high,critical',
  features: '/community/features',
  posts: '/community/posts',
  roadmap: '/community/roadmap',
  changelog: '/community/changelog',
  orgs: '/community/orgs',
  blog: '/blog',
  keys: '/keys',
  members: '/community/members',
  'members-found': '/community/members?q=femi',
  'members-none': '/community/members?q=xyzzyplugh',
  'search-start': '/search',
  search: '/search?q=digest',
  'search-of-types': '/search?q=agent&type=bug%2Ccomment',
  'search-none': '/search?q=xyzzyplugh',
  library: '/library',
  workflows: '/library/workflows',
  automations: '/library/automations',
  'library-orgs': '/library/orgs',
  guide: '/docs',
  authentication: '/docs/authentication',
  formats: '/docs/formats',
  errors: '/docs/errors',
  'error-code': '/docs/errors/rate_limited',
  mcp: '/docs/mcp',
  'webhooks-guide': '/docs/webhooks',
  operators: '/docs/operators',
  sizing: '/docs/sizing',
  scaling: '/docs/scaling',
  reference: '/docs/reference',
  'reference-part': '/docs/reference/library?code=typescript',
  'reference-search': '/docs/reference?q=vote',
  privacy: '/privacy',
  terms: '/terms',
  'own-page': '/pages/imprint',
  'moderation-log': '/moderation',
  'appeal-forged': '/appeal?token=x',
  'appeal-sent': '/appeal?sent',
  'sign-in': '/sign-in',
  'sign-in-failed': '/sign-in?external=conflict',
  'sign-up': '/sign-up',
  'forgot-password': '/forgot-password',
  'not-found': '/nothing/here',
  'email-undo': '/email-undo?token=x',
  'sign-in-for-an-app': '/oauth/sign-in',
  'app-unknown': '/api/auth/oauth2/authorize?client_id=nobody',
}
export const forAdmins: Pages = {
  'home-of-a-member': '/',
  onboarding: '/onboarding',
  welcome: '/onboarding/welcome',
  'new-bug': '/community/bugs/new',
  'new-feature': '/community/features/new',
  'new-post': '/community/posts/new',
  'new-release': '/community/changelog/new',
  'new-org': '/community/orgs/new',
  upload: '/library/upload',
  settings: '/settings',
  security: '/settings/security',
  apps: '/settings/apps',
  tokens: '/settings/tokens',
  'notification-settings': '/settings/notifications',
  notifications: '/notifications',
  following: '/notifications/following',
  notices: '/moderation/notices',
  'my-reports': '/moderation/reports',
  unsubscribe: '/unsubscribe?token=x',
  admin: '/admin',
  users: '/admin/users',
  labels: '/admin/labels',
  'admin-webhooks': '/admin/webhooks',
  'admin-invitations': '/admin/invitations',
  'admin-settings': '/admin/settings',
  'admin-looks': '/admin/looks',
  webhooks: '/settings/webhooks',
  cases: '/admin/cases',
  suggestions: '/admin/suggestions',
  boards: '/admin/boards',
  'my-work': '/my-work',
  data: '/settings/data',
  audit: '/admin/audit',
  device: '/oauth/device',
  pieces: '/dev/ui',
}

// A page without parameters that no list names is an admin's: so a new page is looked at from its first day.
const listed = new Set(Object.values({ ...forAnybody, ...forAdmins }).map((path) => path.split('?')[0]))
for (const route of routes) {
  if (!route.includes('[') && !listed.has(route)) forAdmins[route.slice(1).replaceAll('/', '-')] = route
}

/** The shape of the addresses of a route; a parameter is one part of an address, `[[x]]` none or one, `[...x]` any. */
export function shapeOf(route: string): RegExp {
  const parts = route
    .split('/')
    .slice(1)
    .map((part) => {
      if (part.startsWith('[[')) return '(?:/[^/?]+)?'
      if (part.startsWith('[...')) return '/[^?]+'
      return part.startsWith('[') ? '/[^/?]+' : `/${part}`
    })
  return new RegExp(`^${parts.join('')}/?(?:$|[?])`)
}
