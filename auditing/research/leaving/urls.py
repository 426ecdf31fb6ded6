"""The address of closing one's own account."""

from django.urls import path

from auditing.research.leaving import views

urlpatterns = [path("me/close", views.close_account, name="close_account")]
