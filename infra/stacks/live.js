import { util } from '@aws-appsync/utils'

// An operator may listen to the business numbers of their tenants. People in sessions have been admitted by a function.
export function onSubscribe(ctx) {
  if (ctx.identity.handlerContext) {
    return
  }
  const segments = ctx.info.channel.segments
  const groups = ctx.identity.groups ? ctx.identity.groups : []
  const theirs = groups.includes('platform') || groups.includes('tenant:' + segments[1])
  if (segments.length !== 4 || segments[2] !== 'number' || segments[3] === '*' || !theirs) {
    util.unauthorized()
  }
}
