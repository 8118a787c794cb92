package daemon

import (
	"errors"
	"net/http"
	"time"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/console"
	"hermes/internal/storage"
)

// makeInvitation answers POST /v1/pair.
func (d *Daemon) makeInvitation(w http.ResponseWriter, r *http.Request) {
	in, fault := api.ReadInvite(http.MaxBytesReader(w, r.Body, 64<<10))
	if fault != "" {
		api.Refuse(w, http.StatusBadRequest, fault)
		return
	}
	username, err := d.Bot.Username(r.Context())
	if err != nil {
		d.log.Warn("no link can be made without the bot's name", "err", err)
		api.Refuse(w, http.StatusBadGateway, "Telegram does not tell the bot's name now, which the link needs; try again, and see hermes doctor")
		return
	}
	i, code := storage.Invite(time.Now())
	i.Group, i.Name, i.Roles = in.Group, in.Name, in.Roles
	by, err := d.Bridge.Invite(r.Context(), i)
	if err != nil {
		d.fail(w, err)
		return
	}
	a := api.InvitationOf(i)
	a.By = by
	a.Link = console.DeepLink(username, i.Group, code)
	api.Reply(w, http.StatusOK, a)
}

// listPairings answers GET /v1/pair.
func (d *Daemon) listPairings(w http.ResponseWriter, r *http.Request) {
	p, err := d.Bridge.Paired(r.Context())
	if err != nil {
		d.fail(w, err)
		return
	}
	waiting, err := d.Bridge.Admissions(r.Context())
	if err != nil {
		d.fail(w, err)
		return
	}
	a := api.PairingsOf(p)
	for _, t := range waiting {
		a.Waiting = append(a.Waiting, api.WaitingOf(t))
	}
	api.Reply(w, http.StatusOK, a)
}

// removePairing answers DELETE /v1/pair/{id}.
func (d *Daemon) removePairing(w http.ResponseWriter, r *http.Request) {
	what, err := d.Bridge.Unpair(r.Context(), r.PathValue("id"))
	switch {
	case errors.Is(err, bridge.ErrNotPaired):
		api.Refuse(w, http.StatusNotFound, bridge.ErrNotPaired.Error())
	case errors.Is(err, bridge.ErrLastPerson):
		api.Refuse(w, http.StatusConflict, bridge.ErrLastPerson.Error())
	case err != nil:
		d.fail(w, err)
	default:
		api.Reply(w, http.StatusOK, map[string]string{"removed": what})
	}
}
