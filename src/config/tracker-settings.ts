// Where other trackers are asked.
import { about, serviceUrl } from './values.ts'

export const trackerSettings = {
  GITHUB_API_URL: serviceUrl.register(about, {
    default: 'https://api.github.com',
    description:
      "where GitHub's REST API is, for [two ways with GitHub](../content/docs/tracker-sync.md): of GitHub Enterprise Server `https://<host>/api/v3`",
  }),
  GITLAB_API_URL: serviceUrl.register(about, {
    default: 'https://gitlab.com/api/v4',
    description:
      "where GitLab's REST API is, for [two ways with GitLab](../content/docs/tracker-sync.md): of a GitLab of your own `https://<host>/api/v4`",
  }),
  LINEAR_API_URL: serviceUrl.register(about, {
    default: 'https://api.linear.app/graphql',
    description: "where Linear's GraphQL API is, for [two ways with Linear](../content/docs/tracker-sync.md)",
  }),
}
