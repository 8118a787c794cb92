package daemon

import (
	"net/http"
	"time"

	"hermes/internal/api"
	"hermes/internal/console"
	"hermes/internal/storage"
)

// postInvitation answers POST /v1/pair.
func (d *Daemon) postInvitation(r *http.Request) (any, error) {
	in, fault := api.ReadInvite(r.Body)
	if fault != "" {
		return nil, refused(http.StatusBadRequest, fault)
	}
	username, joinsGroups, err := d.Bot.Account(r.Context())
	if err != nil {
		d.log.Warn("no link can be made without the bot's name", "err", err)
		return nil, refused(http.StatusBadGateway, "Telegram does not tell the bot's name now, which the link needs; try again, and see hermes doctor")
	}
	if in.Group && !joinsGroups {
		return nil, refused(http.StatusConflict, "nobody can add the bot to a group now: send /setjoingroups to @BotFather, choose Enable, and try again")
	}
	i, code := storage.Invite(time.Now())
	i.Group, i.Name, i.Roles = in.Group, in.Name, in.Roles
	by, err := d.Bridge.Invite(r.Context(), i)
	answer := api.InvitationOf(i)
	answer.By = by
	answer.Link = console.DeepLink(username, i.Group, code)
	return answer, err
}

// listPairings answers GET /v1/pair.
func (d *Daemon) listPairings(r *http.Request) (any, error) {
	p, err := d.Bridge.Paired(r.Context())
	if err != nil {
		return nil, err
	}
	waiting, err := d.Bridge.Admissions(r.Context())
	answer := api.PairingsOf(p)
	for _, t := range waiting {
		answer.Waiting = append(answer.Waiting, api.WaitingOf(t))
	}
	return answer, err
}

// deletePairing answers DELETE /v1/pair/{id}.
func (d *Daemon) deletePairing(r *http.Request) (any, error) {
	what, err := d.Bridge.Unpair(r.Context(), r.PathValue("id"))
	return map[string]string{"removed": what}, err
}
